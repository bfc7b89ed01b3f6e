/** The settings of the server that concern changes: required comments, and the address of tickets. */

import { useQuery } from "@tanstack/react-query";
import { useClient } from "./context";
import type { ChangeRules } from "./generated/client";

const NO_RULES: ChangeRules = { commentRequired: [], approvalKinds: [], ticketUrl: "" };

export function useChangeRules(): ChangeRules {
  const client = useClient();
  const found = useQuery({
    queryKey: ["change-rules"],
    queryFn: async ({ signal }) => (await client.call("readChangeRules", { signal })).data,
    staleTime: 5 * 60_000,
  });
  return found.data ?? NO_RULES;
}

/** The address of a ticket; null if none is configured. */
export function ticketAddress(template: string, ticket: string): string | null {
  if (!/^https?:\/\//.test(template) || !ticket) return null;
  return template.replace("{ticket}", () => encodeURIComponent(ticket));
}
