/** The columns and filters of the list of directory addresses. */

import type { Reason } from "../../api/client";
import type { DirectoryView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";

/** Null omits the column with the revoke button. */
export function columns(
  revoke: ((id: string, reason: Reason) => Promise<void>) | null,
): readonly Column<DirectoryView>[] {
  return [
    { id: "description", header: "Description", grow: 2, cell: (each) => each.description || "–" },
    { id: "of", header: "Apps of", grow: 1.6, cell: (each) => <Audience of={each} /> },
    { id: "created", header: "Created", sort: "created", grow: 1.4, cell: (each) => <Time at={each.created} /> },
    { id: "createdBy", isOptional: true, header: "Created by", grow: 1.2, cell: (each) => each.createdBy },
    ...(revoke
      ? [{ id: "revoke", header: "Revoke", cell: (each: DirectoryView) => <Revoke of={each} onRevoke={revoke} /> }]
      : []),
  ];
}

export const filters: readonly Filter[] = [
  { name: "user", label: "User", whole: true },
  { name: "group", label: "Group", whole: true },
  { name: "description", label: "Description" },
];

function Audience({ of }: { of: DirectoryView }) {
  if (of.user !== null) {
    return (
      <TextLink to={pathOf("users", of.user)} size="sm">
        {of.user}
      </TextLink>
    );
  }
  return (
    <TextLink to={pathOf("groups", of.group ?? "")} size="sm">
      {`Group ${of.group}`}
    </TextLink>
  );
}

function Revoke({ of, onRevoke }: { of: DirectoryView; onRevoke: (id: string, reason: Reason) => Promise<void> }) {
  return (
    <DeleteButton
      what={`the address "${of.description || (of.user ?? of.group)}"`}
      word="Revoke"
      done="Revoked"
      size="compact-sm"
      consequence="Agents that use this address no longer receive apps. This cannot be undone."
      onDelete={(reason) => onRevoke(of.id, reason)}
      onDeleted={() => undefined}
    />
  );
}
