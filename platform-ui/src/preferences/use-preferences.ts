/** Preferences of the platform for a user, stored by the manager, so that they are the same in every browser. */

import { useMantineColorScheme } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useClient } from "../../../admin-ui/src/api/context";
import { isMissing } from "../../../admin-ui/src/api/errors";
import { showError } from "../../../admin-ui/src/ui/notices";

export interface Preferences {
  theme?: "light" | "dark";
  /** Whether the browser shows notifications while the page is not visible. */
  notifies?: boolean;
  /** Apps that the user has moved out of their panels, so that they open in windows. */
  outside?: readonly string[];
}

/** The name under which the manager stores them. */
export const APP = "rostrum-browser-platform";
const KEY = ["prefs"] as const;

export function usePreferences() {
  const client = useClient();
  const queries = useQueryClient();
  const { setColorScheme } = useMantineColorScheme();
  const found = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }): Promise<Preferences> => {
      try {
        const { data } = await client.call("getPreferences", { query: { app: APP }, signal });
        return preferencesIn(data);
      } catch (error) {
        if (isMissing(error)) return {};
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const preferences = found.data ?? {};
  const { theme } = preferences;
  useEffect(() => {
    if (theme) setColorScheme(theme);
  }, [theme, setColorScheme]);

  const change = (some: Preferences) => {
    const next = { ...preferences, ...some };
    queries.setQueryData(KEY, next);
    void client.call("savePreferences", { body: { app: APP, data: next } }).catch(showError);
  };
  return { preferences, change };
}

function preferencesIn(answer: unknown): Preferences {
  const first = Array.isArray(answer) ? answer[0] : answer;
  const data = (first as { data?: unknown } | undefined)?.data;
  if (typeof data !== "object" || data === null) return {};
  const { theme, notifies, outside } = data as Record<string, unknown>;
  return {
    ...(theme === "light" || theme === "dark" ? { theme } : {}),
    ...(typeof notifies === "boolean" ? { notifies } : {}),
    ...(Array.isArray(outside) ? { outside: outside.filter((name) => typeof name === "string") } : {}),
  };
}
