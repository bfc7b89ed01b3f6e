/** Returns to the list after a deletion, and refreshes it. */

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Reason } from "../../api/client";

export interface Removal {
  readonly onDeleted: () => void;
  /** Run a function that changes the list, then refresh it. */
  readonly refreshing: (work: (reason: Reason) => Promise<unknown>) => (reason: Reason) => Promise<void>;
}

export function useRemoval(queryKey: QueryKey, listPath: string): Removal {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return {
    onDeleted: () => {
      void navigate({ to: listPath, ignoreBlocker: true });
      void queries.invalidateQueries({ queryKey });
    },
    refreshing: (work) => async (reason) => {
      await work(reason);
      await queries.invalidateQueries({ queryKey });
    },
  };
}
