import react from "@vitejs/plugin-react";
import { defineConfig, esmExternalRequirePlugin } from "vite";
import { stableIds } from "./scripts/stable-ids.ts";

// The page is written into the Python package that serves it; the library is for other pages.
export default defineConfig(({ mode }) => ({
  base: "./",
  envPrefix: "REACT_APP_",
  plugins: [react(), stableIds(), ...(mode === "library" ? [anyReact19] : [])],
  html: { cspNonce: "%nonce%" },
  build: mode === "library" ? libraryBuild : pageBuild,
  server: { proxy: { "/api": "http://127.0.0.1:4356" } },
}));

/** Replaces `useEffectEvent`, so that pages with an older React 19 can use the library. */
const anyReact19 = {
  name: "any-react-19",
  transform(code: string) {
    const found = /import \{([^}]*\buseEffectEvent\b[^}]*)\} from "react";/.exec(code);
    if (!found) return null;
    const others = found[1]?.split(",").filter((name) => name.trim() !== "useEffectEvent");
    const imports = `import {${others?.join(",")}} from "react"; import { useEffectEvent } from "/src/effect-event.ts";`;
    return { code: code.replace(found[0], imports), map: null };
  },
};

const pageBuild = {
  outDir: "../src/rostrum/manager/admin_page/build",
  emptyOutDir: true,
  target: "es2022",
  cssTarget: ["chrome123", "firefox121", "safari17.5"],
  manifest: "manifest.json",
  modulePreload: { polyfill: false },
  chunkSizeWarningLimit: 1200,
  reportCompressedSize: false,
};

const libraryBuild = {
  outDir: "library",
  emptyOutDir: true,
  target: "es2022",
  cssTarget: ["chrome123", "firefox121", "safari17.5"],
  lib: { entry: "src/index.ts", formats: ["es" as const], fileName: "admin-ui", cssFileName: "admin-ui" },
  // React is provided by the embedding page; a plain `external` would leave `require` in CommonJS modules.
  rolldownOptions: { plugins: [esmExternalRequirePlugin({ external: [/^react($|\/)/, /^react-dom($|\/)/] })] },
};
