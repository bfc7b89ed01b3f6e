/** What the members of a group get by it. */

import { Text } from "@mantine/core";
import { useClient } from "../../api/context";
import { without } from "../../ui/list/columns";
import { ListPanel } from "../../ui/list/list-panel";
import { columns as appColumns, filters as appFilters } from "../apps/columns";
import { columns as configColumns, filters as configFilters } from "../configs/columns";
import { columns as layoutColumns, filters as layoutFilters } from "../layouts/columns";

export function GroupApps({ group }: { group: string }) {
  const client = useClient();
  return (
    <ListPanel
      label={`Apps of ${group}`}
      queryKey={["apps", "for", group]}
      fetchRows={async (query, signal) =>
        (await client.call("listApps", { query: { ...query, accessList: group }, signal })).data
      }
      columns={appColumns}
      filters={without(appFilters, "accessList")}
      rowKey={(app) => app.name}
      defaultSort="name"
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
      defaultSort="name"
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
      empty={<Text c="dimmed">This group has no configuration files.</Text>}
    />
  );
}
