/** The origin of each value, as if the draft were saved, for a selected user or for the scope of the file. */

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { useClient } from "../../../api/context";
import type { ConfigView, Explanation } from "../../../api/generated/client";
import { type Place, placeBody, placeText } from "../scope";

const PAUSE_MS = 400;
const MOST = 1000;
/** The maximum number of files of the same name whose values are shown. */
const MOST_FILES = 200;

export interface Subject {
  /** The selected user; without one, the scope of the file. */
  readonly user: string;
  readonly place: Place;
}

export function subjectText({ user, place }: Subject): string {
  return user ? `user ${user}` : placeText(place);
}

export interface DraftExplanation {
  readonly explanation: Explanation | undefined;
  readonly error: unknown;
}

export function useDraftExplanation(
  file: string,
  place: Place | null,
  contents: ConfigView["contents"],
  user: string,
): DraftExplanation {
  const client = useClient();
  const [draft] = useDebouncedValue(contents, PAUSE_MS);
  const id = useId();
  const version = useVersionOf(draft);
  const found = useQuery({
    queryKey: ["configs", "draft", id, version, file, place, user],
    queryFn: async ({ signal }) => {
      if (!place) return null;
      // A file for a version only applies to desktops of this version.
      const asked = user ? { user, ...(place.scope === "version" ? placeBody(place) : {}) } : placeBody(place);
      const body = { draft: { file, contents: draft, ...placeBody(place) }, ...asked };
      return (await client.call("explainConfigDraft", { query: { limit: MOST }, body, signal })).data;
    },
    enabled: place !== null,
    placeholderData: (before) => before,
    gcTime: 0,
  });
  return { explanation: found.data ?? undefined, error: found.error };
}

/** All files of the same name, for the values that other scopes set. */
export function useSameFiles(file: string): { readonly files: readonly ConfigView[]; readonly more: number } {
  const client = useClient();
  const found = useQuery({
    queryKey: ["configs", "same", file],
    queryFn: async ({ signal }) =>
      (await client.call("listConfigs", { query: { file, sort: "scope,target", limit: MOST_FILES }, signal })).data,
  });
  const files = found.data?.items ?? [];
  return { files, more: (found.data?.total ?? 0) - files.length };
}

/** A number that increases when a value is replaced; the complete document would be slow as a query key. */
function useVersionOf(value: unknown): number {
  const last = useRef({ value, version: 0 });
  if (last.current.value !== value) last.current = { value, version: last.current.version + 1 };
  return last.current.version;
}
