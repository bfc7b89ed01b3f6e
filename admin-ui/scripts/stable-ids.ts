/**
 * Renders Mantine components with an ID once. Mantine's hook sets another ID after the first rendering, for pages that
 * are rendered on a server, so that each input, menu and dialog is rendered twice. Ours are rendered only in browsers.
 */

import type { Plugin } from "vite";

const HOOK = "/@mantine/hooks/esm/use-id/use-id.mjs";
const CODE = `
import { useState } from "react";
import { randomId } from "../utils/random-id/random-id.mjs";

export function useId(staticId) {
  const [id] = useState(() => randomId());
  return typeof staticId === "string" ? staticId : id;
}
`;

export function stableIds(): Plugin {
  let isFound = false;
  return {
    name: "stable-ids",
    apply: "build",
    enforce: "pre",
    load(id) {
      if (!id.replaceAll("\\", "/").endsWith(HOOK)) return null;
      isFound = true;
      return CODE;
    },
    // A newer version of Mantine may have another hook.
    buildEnd(error) {
      if (!error && !isFound) this.error(`Mantine has no file ${HOOK}`);
    },
  };
}
