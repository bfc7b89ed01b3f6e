/** Names of groups to choose from. */

import { useClient, useMay } from "../../api/context";
import { existing } from "../../api/errors";
import type { Suggestions } from "../../ui/suggest-input";

export function useGroupNames(): Suggestions {
  const client = useClient();
  return {
    queryKey: ["groups"],
    noun: "group",
    unknown: "create",
    enabled: useMay("GROUPS", "READ"),
    find: async (q, signal) => {
      const { data } = await client.call("listGroups", { query: { q, limit: 20, sort: "name" }, signal });
      return data.items.map((group) => group.name);
    },
    exists: (name, signal) => existing(client.call("readGroup", { path: { group_name: name }, signal })),
  };
}
