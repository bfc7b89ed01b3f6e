/** Reads and writes one app. */

import { useMemo } from "react";
import { useClient } from "../../api/context";
import type { AppEntry, AppView } from "../../api/generated/client";
import type { DocumentSource } from "../../ui/document/use-document";
import type { AppDraft } from "./app-editor";

export function useAppSource(name: string): DocumentSource<AppView, AppDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["apps", name],
      read: (signal) => client.call("readApp", { path: { app_name: name }, ...(signal ? { signal } : {}) }),
      write: (draft, etag, reason) =>
        client.call("replaceApp", { path: { app_name: name }, body: bodyOf(draft), ifMatch: etag, reason }),
      draftOf: (view) => ({
        definition: view.definition,
        public: view.public,
        accessList: view.accessList,
        disabled: view.disabled,
      }),
    }),
    [client, name],
  );
}

export function bodyOf(draft: AppDraft): AppEntry {
  return { ...draft, accessList: [...draft.accessList] };
}

/** The editable part of a stored body. */
export function draftOfBody(body: Record<string, unknown>): AppDraft {
  const { definition, public: isPublic, accessList, disabled } = body as unknown as AppEntry;
  return { definition, public: isPublic ?? false, accessList: accessList ?? [], disabled: disabled ?? false };
}
