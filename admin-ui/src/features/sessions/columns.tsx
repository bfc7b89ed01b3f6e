/** The columns and filters of the list of sessions. */

import type { SessionView } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";

export const columns: readonly Column<SessionView>[] = [
  {
    id: "id",
    header: "Session",
    grow: 1.5,
    cell: (session) => (
      <TextLink to={pathOf("sessions", session.id)} size="sm" className="mono">
        {session.id}
      </TextLink>
    ),
  },
  { id: "state", header: "State", grow: 0.95, cell: (session) => <SessionState session={session} /> },
  { id: "user", header: "User", sort: "user", grow: 1.35, cell: (session) => session.user },
  {
    id: "machine",
    header: "Machine",
    sort: "machine",
    grow: 1.52,
    cell: (session) => (
      <TextLink to={pathOf("machines", session.machine)} size="sm">
        {machineName(session.machine)}
      </TextLink>
    ),
  },
  { id: "version", header: "Version", sort: "version", grow: 0.85, cell: (session) => session.version },
  {
    id: "env",
    isOptional: true,
    header: "Env / region",
    sort: "env",
    grow: 1.32,
    cell: (session) => `${session.env} / ${session.region}`,
  },
  { id: "product", isOptional: true, header: "Product", sort: "product", cell: (session) => session.product },
  {
    id: "started",
    isOptional: true,
    header: "Started",
    sort: "started",
    grow: 1.2,
    cell: (session) => <Time at={session.started} />,
  },
  {
    id: "lastSeen",
    header: "Last seen",
    sort: "lastSeen",
    grow: 1.2,
    cell: (session) => <Time at={session.lastSeen} />,
  },
];

/** The name in a machine's id, which ends with a hash of its properties. */
export function machineName(id: string): string {
  return id.replace(/-[0-9a-f]{16}$/, "");
}

export function SessionState({ session }: { session: SessionView }) {
  if (session.active) return <Label color="green">active</Label>;
  return session.ended ? <Label>ended</Label> : <Label color="orange">silent</Label>;
}

export const filters: readonly Filter[] = [
  { name: "active", label: "Active", choices: [{ value: "true", label: "only active" }] },
  { name: "user", label: "User" },
  { name: "version", label: "Version" },
  { name: "env", label: "Env" },
  { name: "region", label: "Region" },
  { name: "started", label: "Started", isPeriod: true },
  {
    name: "outdated",
    label: "Outdated",
    choices: [
      { value: "systemConfig", label: "configuration" },
      { value: "apps", label: "apps" },
      { value: "layouts", label: "layouts" },
    ],
  },
];
