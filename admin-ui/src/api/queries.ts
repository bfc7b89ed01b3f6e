/** How answers are kept, and when they are asked for again. */

import { QueryClient } from "@tanstack/react-query";
import { Unreachable } from "./errors";

export function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        // While the manager is away the banner asks for it, and everything is fetched again once it is back.
        retry: (count, error) => error instanceof Unreachable && count < 1,
        retryDelay: 500,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
