/** The schemas of the files that have one, loaded when such a file is opened. */

import { useQuery } from "@tanstack/react-query";
import type { Schema } from "../../ui/json-editor/schema/schema";

const SCHEMAS: Readonly<Record<string, () => Promise<unknown>>> = {
  "system.json": () => import("../../../../schemas/system.schema.json"),
  "gilding.json": () => import("../../../../schemas/gilding.schema.json"),
  "env.json": () => import("../../../../schemas/env.schema.json"),
};

export function useSchemaOf(file: string): Schema | undefined {
  const load = SCHEMAS[file];
  const found = useQuery({
    queryKey: ["schema", file],
    queryFn: async () => ((await load?.()) as { default: Schema } | undefined)?.default ?? null,
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return found.data ?? undefined;
}
