/** The columns and filters of the list of machines. */

import type { MachineView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";

export const columns: readonly Column<MachineView>[] = [
  {
    id: "name",
    header: "Name",
    sort: "name",
    grow: 1.6,
    cell: (machine) => (
      <TextLink to={pathOf("machines", machine.id)} size="sm">
        {machine.name || machine.id}
      </TextLink>
    ),
  },
  { id: "os", header: "System", grow: 2, cell: (machine) => textOf(machine.info.os) },
  { id: "cpu", header: "Processor", grow: 2, cell: (machine) => textOf(machine.info.cpu) },
  {
    id: "displays",
    isOptional: true,
    header: "Screens",
    cell: (machine) => (Array.isArray(machine.info.displays) ? machine.info.displays.length : "–"),
  },
  {
    id: "firstSeen",
    isOptional: true,
    header: "First seen",
    sort: "firstSeen",
    grow: 1.4,
    cell: (machine) => <Time at={machine.firstSeen} />,
  },
  {
    id: "lastSeen",
    header: "Last seen",
    sort: "lastSeen",
    grow: 1.4,
    cell: (machine) => <Time at={machine.lastSeen} />,
  },
];

export const filters: readonly Filter[] = [
  { name: "name", label: "Name" },
  { name: "user", label: "Used by", whole: true },
  { name: "lastSeen", label: "Last seen", isPeriod: true },
];

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
