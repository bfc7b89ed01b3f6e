/** The columns and filters of the list of layouts. */

import type { LayoutView } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import { type Column, type Filter, YES_NO } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { AccessLabel } from "../access/access-label";

const TYPES = ["Global", "Workspace", "ApplicationDefault", "Activity", "Swimlane"];

export const columns: readonly Column<LayoutView>[] = [
  {
    id: "name",
    header: "Name",
    sort: "name",
    grow: 2,
    cell: (layout) => (
      <TextLink to={pathOf("layouts", layout.id)} size="sm">
        {layout.name}
      </TextLink>
    ),
  },
  { id: "type", header: "Type", sort: "type", cell: (layout) => layout.type },
  { id: "owner", header: "Owner", sort: "owner", cell: (layout) => (layout.owner === "*" ? "everyone" : layout.owner) },
  { id: "access", header: "Available to", grow: 2, cell: (layout) => <LayoutAccess layout={layout} /> },
  {
    id: "default",
    isOptional: true,
    header: "Default",
    sort: "default",
    grow: 0.8,
    cell: (layout) => layout.default && <Label color="rostrum">default</Label>,
  },
  {
    id: "modified",
    isOptional: true,
    header: "Changed",
    sort: "modified",
    grow: 1.4,
    cell: (layout) => <Time at={layout.modified} />,
  },
];

function LayoutAccess({ layout }: { layout: LayoutView }) {
  const isOwn = !layout.disabled && !layout.public && layout.accessList.length === 0;
  return isOwn && layout.owner !== "*" ? <Label>{layout.owner} only</Label> : <AccessLabel access={layout} />;
}

export const filters: readonly Filter[] = [
  { name: "type", label: "Type", choices: TYPES.map((type) => ({ value: type, label: type })) },
  { name: "owner", label: "Owner" },
  { name: "public", label: "Public", choices: YES_NO },
  { name: "default", label: "Default", choices: YES_NO },
  { name: "disabled", label: "Disabled", choices: YES_NO },
  { name: "accessList", label: "Group", whole: true },
];
