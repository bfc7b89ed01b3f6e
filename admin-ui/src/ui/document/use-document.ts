/** A document under edit: the server's version, the user's changes, and a save that loses neither. */

import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { Answer, Reason } from "../../api/client";
import { isProposed, isStale } from "../../api/errors";
import { showError } from "../notices";
import { isSame } from "./changes";
import { useUnsaved } from "./unsaved-guard";

export interface DocumentSource<View, Draft> {
  readonly queryKey: QueryKey;
  readonly read: (signal?: AbortSignal) => Promise<Answer<View>>;
  readonly write: (draft: Draft, etag: string | null, reason: Reason) => Promise<Answer<View>>;
  /** The editable part of the document. */
  readonly draftOf: (view: View) => Draft;
}

export interface Conflict<Draft> {
  readonly base: Draft;
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly etag: string | null;
}

export interface EditedDocument<View, Draft> {
  readonly view: View | undefined;
  readonly draft: Draft | undefined;
  readonly isLoading: boolean;
  readonly loadError: unknown;
  readonly reload: () => void;
  readonly isDirty: boolean;
  /** Another user has saved since this was read. */
  readonly isOutdated: boolean;
  readonly isSaving: boolean;
  readonly saveError: unknown;
  /** Why a save would be rejected, as far as a preview has determined. */
  readonly refusal: unknown;
  readonly refuse: (error: unknown) => void;
  readonly conflict: Conflict<Draft> | null;
  readonly change: (draft: Draft) => void;
  readonly reset: () => void;
  /** Returns whether it was saved. */
  readonly save: (reason: Reason) => Promise<boolean>;
  /** Open the comparison with changes by others. */
  readonly compare: () => void;
  readonly resolve: (draft: Draft, etag: string | null) => void;
  readonly dismiss: () => void;
}

/** The edited value, and the version it is based on. */
interface Edit<Draft> {
  readonly base: Draft;
  readonly etag: string | null;
  readonly draft: Draft;
}

export function useDocument<View, Draft>(source: DocumentSource<View, Draft>): EditedDocument<View, Draft> {
  const queries = useQueryClient();
  const loaded = useQuery({ queryKey: source.queryKey, queryFn: ({ signal }) => source.read(signal) });
  const [edit, setEdit] = useState<Edit<Draft> | null>(null);
  const [conflict, setConflict] = useState<Conflict<Draft> | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [saveError, setSaveError] = useState<unknown>(null);
  const [refusal, refuse] = useState<unknown>(null);

  const server = loaded.data && { draft: source.draftOf(loaded.data.data), etag: loaded.data.etag };
  const draft = edit?.draft ?? server?.draft;
  const isDirty = edit !== null && !isSame(edit.draft, edit.base);
  useUnsaved(isDirty);
  const isOutdated = isDirty && server !== undefined && !isSame(server.draft, edit.base);

  const change = useCallback(
    (next: Draft) => {
      setSaveError(null);
      setEdit((old) => {
        const base = old ?? (server && { base: server.draft, etag: server.etag });
        return base ? { base: base.base, etag: base.etag, draft: next } : old;
      });
    },
    [server],
  );

  const meetServer = useCallback(async () => {
    if (!edit) return;
    const current = await source.read();
    queries.setQueryData(source.queryKey, current);
    setConflict({ base: edit.base, mine: edit.draft, theirs: source.draftOf(current.data), etag: current.etag });
  }, [edit, source, queries]);

  const save = useCallback(
    async (reason: Reason) => {
      if (!edit) return true;
      setSaving(true);
      setSaveError(null);
      try {
        const written = await source.write(edit.draft, edit.etag, reason);
        queries.setQueryData(source.queryKey, written);
        setEdit(null);
        void queries.invalidateQueries({ queryKey: source.queryKey.slice(0, 1) });
        return true;
      } catch (error) {
        if (isProposed(error)) {
          setEdit(null);
          showError(error);
        } else if (isStale(error)) await meetServer().catch(setSaveError);
        else setSaveError(error);
        return false;
      } finally {
        setSaving(false);
      }
    },
    [edit, source, queries, meetServer],
  );

  return {
    view: loaded.data?.data,
    draft,
    isLoading: loaded.isPending,
    loadError: loaded.error && !loaded.data ? loaded.error : null,
    reload: () => void loaded.refetch(),
    isDirty,
    isOutdated,
    isSaving,
    saveError,
    refusal: isDirty ? refusal : null,
    refuse,
    conflict,
    change,
    reset: () => {
      setEdit(null);
      setSaveError(null);
    },
    save,
    compare: () => void meetServer().catch(setSaveError),
    resolve: (chosen, etag) => {
      const base = conflict?.theirs ?? chosen;
      setEdit(isSame(chosen, base) ? null : { base, etag, draft: chosen });
      setConflict(null);
      setSaveError(null);
    },
    dismiss: () => setConflict(null),
  };
}
