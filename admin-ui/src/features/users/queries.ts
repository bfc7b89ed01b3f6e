/** Reads and writes one user. */

import { useMemo } from "react";
import { useClient } from "../../api/context";
import type { UserView } from "../../api/generated/client";
import type { DocumentSource } from "../../ui/document/use-document";
import type { UserDraft } from "./user-form";

export function useUserSource(id: string): DocumentSource<UserView, UserDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["users", id],
      read: (signal) => client.call("readUser", { path: { user_id: id }, ...(signal ? { signal } : {}) }),
      write: (draft, etag, reason) =>
        client.call("changeUser", { path: { user_id: id }, body: bodyOf(draft), ifMatch: etag, reason }),
      draftOf: ({ displayName, email, groups, apps, layouts, disabled }) => ({
        displayName: displayName ?? "",
        email: email ?? "",
        groups,
        apps,
        layouts,
        disabled,
      }),
    }),
    [client, id],
  );
}

export function bodyOf(draft: UserDraft) {
  return {
    displayName: draft.displayName.trim() || null,
    email: draft.email || null,
    groups: [...draft.groups],
    apps: [...draft.apps],
    layouts: [...draft.layouts],
    disabled: draft.disabled,
  };
}

/** The editable part of a stored body. */
export function draftOfBody(body: Record<string, unknown>): UserDraft {
  const {
    displayName = "",
    email = "",
    groups = [],
    apps = [],
    layouts = [],
    disabled = false,
  } = body as Partial<UserDraft>;
  return { displayName: displayName ?? "", email: email ?? "", groups, apps, layouts, disabled };
}
