/** The columns of lists of configuration files. */

import type { ConfigView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { placeOf, placeText } from "./scope";

export const columns: readonly Column<ConfigView>[] = [
  {
    id: "file",
    header: "File",
    sort: "file",
    cell: (config) => (
      <TextLink to={pathOf("configs", config.id)} size="sm">
        {config.file}
      </TextLink>
    ),
  },
  { id: "for", header: "For", cell: (config) => placeText(placeOf(config)) },
  { id: "modified", header: "Changed", sort: "modified", grow: 1.4, cell: (config) => <Time at={config.modified} /> },
  { id: "by", isOptional: true, header: "By", sort: "modifiedBy", cell: (config) => config.modifiedBy },
];

export const filters: readonly Filter[] = [
  { name: "file", label: "File" },
  { name: "modifiedBy", label: "Changed by" },
];
