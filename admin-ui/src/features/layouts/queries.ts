/** Reads and writes one layout. */

import { useMemo } from "react";
import { useClient } from "../../api/context";
import type { LayoutEntry, LayoutView } from "../../api/generated/client";
import type { DocumentSource } from "../../ui/document/use-document";
import type { LayoutDraft } from "./layout-editor";

export function useLayoutSource(id: string): DocumentSource<LayoutView, LayoutDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["layouts", id],
      read: (signal) => client.call("readLayout", { path: { layout_id: id }, ...(signal ? { signal } : {}) }),
      write: (draft, etag, reason) =>
        client.call("replaceLayout", { path: { layout_id: id }, body: bodyOf(draft), ifMatch: etag, reason }),
      draftOf: ({ definition, owner, public: isPublic, accessList, default: isDefault, disabled }) => ({
        definition,
        owner,
        public: isPublic,
        accessList,
        default: isDefault,
        disabled,
      }),
    }),
    [client, id],
  );
}

export function bodyOf(draft: LayoutDraft): LayoutEntry {
  return { ...draft, accessList: [...draft.accessList] };
}

/** The editable part of a stored body. */
export function draftOfBody(body: Record<string, unknown>): LayoutDraft {
  const entry = body as unknown as LayoutEntry;
  return {
    definition: entry.definition,
    owner: entry.owner ?? "*",
    public: entry.public ?? false,
    accessList: entry.accessList ?? [],
    default: entry.default ?? false,
    disabled: entry.disabled ?? false,
  };
}
