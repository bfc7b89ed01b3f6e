/** A new document: handled like one under edit, without a version on the server. */

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Reason } from "../../api/client";
import { isProposed } from "../../api/errors";
import { showError } from "../notices";
import { isSame } from "./changes";
import { useUnsaved } from "./unsaved-guard";
import type { EditedDocument } from "./use-document";

/** The parts of a document under edit that a new one does not need: no loading, no conflicts. */
export const NOTHING_TO_MEET = {
  view: undefined,
  isLoading: false,
  loadError: null,
  reload: () => undefined,
  isOutdated: false,
  conflict: null,
  compare: () => undefined,
  resolve: () => undefined,
  dismiss: () => undefined,
} as const;

interface NewDocument<View, Draft> {
  readonly queryKey: QueryKey;
  readonly initial: Draft;
  readonly create: (draft: Draft, reason: Reason) => Promise<View>;
  readonly onCreated: (view: View) => void;
}

export function useNewDocument<View, Draft>(source: NewDocument<View, Draft>): EditedDocument<View, Draft> {
  const queries = useQueryClient();
  const [initial] = useState(source.initial);
  const [draft, setDraft] = useState(initial);
  const [isSaving, setSaving] = useState(false);
  const [saveError, setSaveError] = useState<unknown>(null);
  const [refusal, refuse] = useState<unknown>(null);
  const isDirty = !isSame(draft, initial);
  useUnsaved(isDirty);

  const save = async (reason: Reason) => {
    setSaving(true);
    setSaveError(null);
    try {
      const view = await source.create(draft, reason);
      void queries.invalidateQueries({ queryKey: source.queryKey });
      source.onCreated(view);
      return true;
    } catch (error) {
      if (isProposed(error)) {
        setDraft(initial);
        showError(error);
      } else setSaveError(error);
      return false;
    } finally {
      setSaving(false);
    }
  };

  return {
    ...NOTHING_TO_MEET,
    draft,
    isDirty,
    isSaving,
    saveError,
    refusal: isDirty ? refusal : null,
    refuse,
    change: (next) => {
      setSaveError(null);
      setDraft(next);
    },
    reset: () => {
      setDraft(initial);
      setSaveError(null);
    },
    save,
  };
}
