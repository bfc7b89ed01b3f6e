/** Pending changes of a group's members; failed changes stay pending. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Client, Reason } from "../../api/client";
import { useClient } from "../../api/context";
import { isProposed, isStale, isUnauthorized, messageOf, Refused, Unreachable } from "../../api/errors";
import { useUnsaved } from "../../ui/document/unsaved-guard";
import type { EditedDocument } from "../../ui/document/use-document";
import { NOTHING_TO_MEET } from "../../ui/document/use-new-document";
import { showError } from "../../ui/notices";

export interface MembersDraft {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A user, and whether the user will be a member. */
export interface Move {
  readonly user: string;
  readonly belongs: boolean;
}

const NOBODY: MembersDraft = { added: [], removed: [] };
const ATTEMPTS = 5;

export function useMembers(group: string): EditedDocument<undefined, MembersDraft> {
  const client = useClient();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(NOBODY);
  const [isSaving, setSaving] = useState(false);
  const [saveError, setSaveError] = useState<unknown>(null);
  const [refusal, refuse] = useState<unknown>(null);
  const isDirty = movesOf(draft).length > 0;
  useUnsaved(isDirty);

  const save = async (reason: Reason) => {
    setSaving(true);
    const moves = movesOf(draft);
    let proposed: unknown = null;
    const failures = await attemptAll(moves, (move) =>
      put(client, group, move, reason).catch((error) => {
        if (!isProposed(error)) throw error;
        proposed = error;
      }),
    );
    if (proposed) showError(proposed);
    setDraft((now) => leftOf(now, moves, failures));
    setSaveError(failures.size === 0 ? null : refusalOf(moves, failures));
    setSaving(false);
    for (const key of ["users", "groups"]) void queries.invalidateQueries({ queryKey: [key] });
    return failures.size === 0 && proposed === null;
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
      setDraft(NOBODY);
      setSaveError(null);
    },
    save,
  };
}

export function movesOf({ added, removed }: MembersDraft): Move[] {
  return [...added.map((user) => ({ user, belongs: true })), ...removed.map((user) => ({ user, belongs: false }))];
}

/** The groups of a user after a change. */
export function groupsAfter(groups: readonly string[], group: string, belongs: boolean): string[] {
  const others = groups.filter((each) => each !== group);
  return belongs ? [...others, group] : others;
}

/** Apply each change; if the manager is offline or the session has ended, all remaining ones fail. */
export async function attemptAll(
  moves: readonly Move[],
  make: (move: Move) => Promise<void>,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  let end: unknown = null;
  for (const move of moves) {
    try {
      if (end) throw end;
      await make(move);
    } catch (error) {
      if (error instanceof Unreachable || isUnauthorized(error)) end = error;
      failures.set(move.user, error);
    }
  }
  return failures;
}

/** The remaining changes: those that failed, and those that were added in the meantime. */
export function leftOf(now: MembersDraft, made: readonly Move[], failures: ReadonlyMap<string, unknown>): MembersDraft {
  const done = new Set(made.map((move) => move.user).filter((user) => !failures.has(user)));
  const isLeft = (user: string) => !done.has(user);
  return { added: now.added.filter(isLeft), removed: now.removed.filter(isLeft) };
}

/** The document of each user is changed at its current version, so that changes by others are kept. */
async function put(client: Client, group: string, { user, belongs }: Move, reason: Reason): Promise<void> {
  const path = { user_id: user };
  for (let attempt = 1; ; attempt += 1) {
    const { data, etag } = await client.call("readUser", { path });
    if (data.groups.includes(group) === belongs) return;
    try {
      const body = { groups: groupsAfter(data.groups, group, belongs) };
      await client.call("changeUser", { path, body, ifMatch: etag, reason });
      return;
    } catch (error) {
      if (!isStale(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

function refusalOf(moves: readonly Move[], failures: ReadonlyMap<string, unknown>): unknown {
  const [first] = failures.values();
  if (first instanceof Unreachable || isUnauthorized(first)) return first;
  const done = moves.length - failures.size;
  const words = `${failures.size === 1 ? "1 person" : `${failures.size} people`} could not be changed.`;
  const details = [...failures].map(([user, error]) => ({ path: user, message: messageOf(error) }));
  return new Refused(409, done > 0 ? `${words} The others are changed.` : words, details);
}
