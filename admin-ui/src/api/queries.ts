/** Caching of responses, and when they are requested again. */

import { QueryClient } from "@tanstack/react-query";
import { Unreachable } from "./errors";

export function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        // While the manager is offline, the banner sends requests; everything is fetched again when it is back online.
        retry: (count, error) => error instanceof Unreachable && count < 1,
        retryDelay: 500,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
