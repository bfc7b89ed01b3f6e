/** The columns and filters of the list of crash groups. */

import type { CrashGroupView } from "../../api/generated/client";
import { Sparkline } from "../../ui/charts";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { assigneeFilter, groupStatusFilter, StatusLabel } from "../reports/triage";

export const columns: readonly Column<CrashGroupView>[] = [
  {
    id: "signature",
    header: "Signature",
    sort: "signature",
    grow: 2.6,
    cell: (group) => (
      <TextLink to={pathOf("crash-groups", group.id)} size="sm">
        {group.signature}
      </TextLink>
    ),
  },
  { id: "app", header: "App", sort: "app", grow: 1.3, cell: (group) => group.app || group.product },
  { id: "version", header: "Version", sort: "version", grow: 0.9, cell: (group) => group.version },
  { id: "count", header: "Reports", sort: "count", grow: 0.9, cell: (group) => group.count.toLocaleString("en") },
  { id: "users", isOptional: true, header: "Users", grow: 0.7, cell: (group) => group.users.toLocaleString("en") },
  {
    id: "days",
    isOptional: true,
    header: "14 days",
    grow: 1.1,
    cell: (group) => <Sparkline counts={group.days} label={trend(group)} />,
  },
  {
    id: "firstSeen",
    isOptional: true,
    header: "First seen",
    sort: "firstSeen",
    cell: (g) => <Time at={g.firstSeen} />,
  },
  { id: "lastSeen", header: "Last seen", sort: "lastSeen", cell: (group) => <Time at={group.lastSeen} /> },
  {
    id: "status",
    header: "Status",
    sort: "status",
    grow: 1.6,
    cell: (group) => <StatusLabel status={group.status} />,
  },
  {
    id: "assignee",
    isOptional: true,
    header: "Assignee",
    sort: "assignee",
    grow: 1.2,
    cell: (group) => group.assignee ?? "–",
  },
];

export const filters: readonly Filter[] = [
  { name: "received", label: "Received", isPeriod: true },
  groupStatusFilter,
  assigneeFilter,
  { name: "app", label: "App" },
  { name: "product", label: "Product" },
  { name: "version", label: "Version", whole: true },
];

function trend(group: CrashGroupView): string {
  const total = group.days.reduce((sum, count) => sum + count, 0);
  return `${total} reports in 14 days, ${group.days.at(-1) ?? 0} of them today`;
}
