/** Names of apps to choose from. */

import { useClient, useMay } from "../../api/context";
import { existing } from "../../api/errors";
import type { Suggestions } from "../../ui/suggest-input";

export function useAppNames(): Suggestions {
  const client = useClient();
  return {
    queryKey: ["apps"],
    noun: "app",
    unknown: "refer",
    enabled: useMay("APPS", "READ"),
    find: async (q, signal) => {
      const { data } = await client.call("listApps", { query: { q, limit: 20, sort: "name" }, signal });
      return data.items.map((app) => app.name);
    },
    exists: (name, signal) => existing(client.call("readApp", { path: { app_name: name }, signal })),
  };
}
