/** The apps and layouts that members of a group receive through it. */

import { Text } from "@mantine/core";
import { useClient } from "../../api/context";
import { without } from "../../ui/list/columns";
import { type BulkSelection, ListPanel } from "../../ui/list/list-panel";
import { columns as appColumns, filters as appFilters } from "../apps/columns";
import { BulkBar } from "../batches/bulk-bar";
import { columns as configColumns, filters as configFilters } from "../configs/columns";
import { columns as layoutColumns, filters as layoutFilters } from "../layouts/columns";
import { AddAppsButton } from "./add-apps";

export function GroupApps({ group }: { group: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Apps of ${group}`}
      actions={<AddAppsButton group={group} />}
      queryKey={["apps", "for", group]}
      fetchRows={async (query, signal) =>
        (await client.call("listApps", { query: { ...query, accessList: group }, signal })).data
      }
      columns={appColumns}
      filters={without(appFilters, "accessList")}
      rowKey={(app) => app.name}
      defaultSort="name"
      bulk={(selection) => <Revocation kind="apps" group={group} {...selection} />}
      empty={<Text c="dimmed">No app is available to this group.</Text>}
    />
  );
}

export function GroupLayouts({ group }: { group: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Layouts of ${group}`}
      queryKey={["layouts", "for", group]}
      fetchRows={async (query, signal) =>
        (await client.call("listLayouts", { query: { ...query, accessList: group }, signal })).data
      }
      columns={layoutColumns}
      filters={without(layoutFilters, "accessList")}
      rowKey={(layout) => layout.id}
      rowName={(layout) => layout.definition.name as string}
      defaultSort="name"
      bulk={(selection) => <Revocation kind="layouts" group={group} {...selection} />}
      empty={<Text c="dimmed">No layout is available to this group.</Text>}
    />
  );
}

export function GroupConfigs({ group }: { group: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Configuration of ${group}`}
      queryKey={["configs", "for", group]}
      fetchRows={async (query, signal) =>
        (await client.call("listConfigs", { query: { ...query, group }, signal })).data
      }
      columns={configColumns.filter((column) => column.id !== "for")}
      filters={configFilters}
      rowKey={(config) => config.id}
      defaultSort="file"
      rowName={(config) => config.file}
      bulk={(selection) => (
        <BulkBar kind="configs" {...selection} filters={{ ...selection.filters, group }} isNarrowed />
      )}
      empty={<Text c="dimmed">This group has no configuration files.</Text>}
    />
  );
}

interface RevocationProps<Row> extends BulkSelection<Row> {
  kind: "apps" | "layouts";
  group: string;
}

/** The list shows only documents of the group, so "all" means all of the group. */
function Revocation<Row>({ kind, group, ...selection }: RevocationProps<Row>) {
  const filters = { ...selection.filters, accessList: group };
  return <BulkBar {...selection} kind={kind} filters={filters} isNarrowed only={["revoke"]} given={[group]} />;
}
