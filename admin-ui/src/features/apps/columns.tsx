/** The columns and filters of the list of applications. */

import type { AppView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import { type Column, type Filter, YES_NO } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { AccessLabel } from "../access/access-label";
import { AppIcon } from "./app-icon";
import { APP_TYPES, textOf } from "./definition";

export const columns: readonly Column<AppView>[] = [
  {
    id: "name",
    header: "Name",
    sort: "name",
    grow: 2.2,
    cell: (app) => (
      <span className="in-row">
        <AppIcon definition={app.definition} />
        <TextLink to={pathOf("apps", app.name)}>{app.name}</TextLink>
      </span>
    ),
  },
  { id: "title", header: "Title", sort: "title", grow: 2, cell: (app) => textOf(app.definition.title) || "–" },
  { id: "type", header: "Type", sort: "type", grow: 1.2, cell: (app) => textOf(app.definition.type) || "FDC3" },
  { id: "access", header: "Available to", grow: 2.2, cell: (app) => <AccessLabel access={app} /> },
  {
    id: "modified",
    isOptional: true,
    header: "Changed",
    sort: "modified",
    grow: 1.2,
    cell: (app) => <Time at={app.modified} />,
  },
  { id: "by", isOptional: true, header: "By", sort: "modifiedBy", cell: (app) => app.modifiedBy },
];

export const filters: readonly Filter[] = [
  { name: "type", label: "Type", choices: APP_TYPES.map((type) => ({ value: type, label: type })) },
  { name: "public", label: "Public", choices: YES_NO },
  { name: "disabled", label: "Disabled", choices: YES_NO },
  { name: "accessList", label: "Group", whole: true },
];
