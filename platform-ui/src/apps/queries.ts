/** The user's current apps from the manager. */

import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../../admin-ui/src/api/context";
import { webApps } from "./apps";

export const APPS = ["apps"] as const;

export function useApps() {
  const client = useClient();
  return useQuery({
    queryKey: APPS,
    queryFn: async ({ signal }): Promise<readonly Record<string, unknown>[]> => {
      const { data } = await client.call("getDirectory", { signal });
      return data.applications;
    },
    select: webApps,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
