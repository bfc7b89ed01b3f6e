/** The columns and filters of the audit. */

import type { AuditEntryView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Ticket } from "../../ui/ticket";
import { Time } from "../../ui/time";

export const columns: readonly Column<AuditEntryView>[] = [
  {
    id: "number",
    header: "Entry",
    sort: "number",
    grow: 0.7,
    cell: (entry) => (
      <TextLink to={pathOf("audit", String(entry.number))} size="sm">
        {entry.number}
      </TextLink>
    ),
  },
  { id: "at", header: "Time", sort: "at", grow: 1.4, cell: (entry) => <Time at={entry.at} /> },
  { id: "actor", header: "User", sort: "actor", grow: 1.2, cell: (entry) => entry.actor },
  { id: "operation", header: "Action", sort: "operation", grow: 1.4, cell: (entry) => entry.operation },
  { id: "changes", header: "Target", grow: 3, cell: (entry) => changesText(entry) },
  { id: "comment", isOptional: true, header: "Comment", sort: "comment", grow: 2, cell: (entry) => entry.comment },
  {
    id: "ticket",
    isOptional: true,
    header: "Ticket",
    sort: "ticket",
    grow: 1,
    cell: (entry) => entry.ticket && <Ticket ticket={entry.ticket} />,
  },
  { id: "origin", isOptional: true, header: "Address", grow: 1.2, cell: (entry) => entry.origin.address },
];

export const filters: readonly Filter[] = [
  { name: "at", label: "Time", isPeriod: true },
  { name: "actor", label: "User" },
  { name: "operation", label: "Action" },
  {
    name: "kind",
    label: "Kind",
    choices: ["app", "layout", "preference", "config", "user", "group"].map((kind) => ({ value: kind, label: kind })),
  },
  { name: "id", label: "ID or name", whole: true },
  { name: "comment", label: "Comment" },
  { name: "ticket", label: "Ticket" },
];

/** A short description of an entry's changes. */
export function changesText(entry: AuditEntryView): string {
  if (entry.changes.length === 0) return "no document";
  const [first] = entry.changes;
  const more = entry.changed > 1 ? ` and ${entry.changed - 1} more` : "";
  return `${first?.action ?? ""} ${first?.kind ?? ""} ${first?.id ?? ""}${more}`;
}
