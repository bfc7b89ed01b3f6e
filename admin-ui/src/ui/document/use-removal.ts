/** Returns to the list after a deletion, and refreshes it. */

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

export interface Removal {
  readonly onDeleted: () => void;
  /** Run a function that changes the list, then refresh it. */
  readonly refreshing: (work: () => Promise<unknown>) => () => Promise<void>;
}

export function useRemoval(queryKey: QueryKey, listPath: string): Removal {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return {
    onDeleted: () => {
      void navigate({ to: listPath, ignoreBlocker: true });
      void queries.invalidateQueries({ queryKey });
    },
    refreshing: (work) => async () => {
      await work();
      await queries.invalidateQueries({ queryKey });
    },
  };
}
