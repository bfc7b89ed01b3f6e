/** IDs of users to choose from. */

import { useClient, useMay } from "../../api/context";
import { existing } from "../../api/errors";
import type { Suggestions } from "../../ui/suggest-input";

export function useUserNames(): Suggestions {
  const client = useClient();
  return {
    queryKey: ["users"],
    noun: "user",
    unknown: "refuse",
    enabled: useMay("USERS", "READ"),
    find: async (q, signal) => {
      const { data } = await client.call("listUsers", { query: { q, limit: 20, sort: "id" }, signal });
      return data.items.map((user) => user.id);
    },
    exists: (name, signal) => existing(client.call("readUser", { path: { user_id: name }, signal })),
  };
}
