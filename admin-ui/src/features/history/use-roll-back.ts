/** Rolls back a document unless it was changed in the meantime, and offers to undo it. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Reason } from "../../api/client";
import { useClient } from "../../api/context";
import { type GivenReason, useReason } from "../../ui/document/reason-fields";
import { showError, showUndo } from "../../ui/notices";
import { KINDS, type Kind } from "../documents/kinds";

interface RollingBack {
  readonly isBusy: boolean;
  readonly given: GivenReason;
  /** Roll back to a revision, if `newest` is still the newest revision. */
  readonly to: (revision: number, newest: number) => Promise<void>;
}

export function useRollBack(kind: Kind, id: string, onDone: () => void): RollingBack {
  const given = useReason(KINDS[kind].document);
  const client = useClient();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const goTo = async (revision: number, newest: number, reason: Reason) => {
    const request = { path: { document_id: id }, body: { revision }, ifMatch: `"${newest}"`, reason };
    const { data } = await client.call(KINDS[kind].rollBack, request);
    await queries.invalidateQueries({ queryKey: [kind] });
    return data.revision;
  };
  const to = async (revision: number, newest: number) => {
    setBusy(true);
    try {
      const made = await goTo(revision, newest, given.reason);
      onDone();
      showUndo(`Rolled back to revision ${revision}.`, () => goTo(newest, made, given.undo));
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, given, to };
}
