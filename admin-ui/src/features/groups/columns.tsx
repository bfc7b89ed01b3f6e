/** The columns of the list of groups. */

import type { GroupView } from "../../api/generated/client";
import { Label, Names } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";

export const columns: readonly Column<GroupView>[] = [
  {
    id: "name",
    header: "Name",
    sort: "name",
    grow: 3.6,
    cell: (group) => (
      <>
        <TextLink to={pathOf("groups", group.name)} size="sm">
          {group.name}
        </TextLink>{" "}
        {givesRights(group.name) && <Label color="grape">grants permissions</Label>}
      </>
    ),
  },
  { id: "members", header: "Direct members", grow: 1.6, cell: (group) => group.members },
  { id: "priority", header: "Priority", sort: "priority", grow: 0.8, cell: (group) => group.priority },
  {
    id: "expandsTo",
    isOptional: true,
    header: "Inherits from",
    grow: 2.1,
    cell: (group) => <Names names={group.expandsTo} most={2} />,
  },
  {
    id: "modified",
    isOptional: true,
    header: "Changed",
    sort: "modified",
    cell: (group) => <Time at={group.modified} />,
  },
];

export const filters: readonly Filter[] = [{ name: "expandsTo", label: "Inherits from", whole: true }];

export function givesRights(group: string): boolean {
  return group === "PLATFORM_SERVER_ADMIN" || group.startsWith("PLATFORM_MANAGER:");
}
