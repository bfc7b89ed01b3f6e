/** The list of preferences that apps store for users. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import type { PreferenceView } from "../../api/generated/client";
import { Icon } from "../../ui/icons";
import { pathOf, RouterLink, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { Time } from "../../ui/time";
import { BulkBar } from "../batches/bulk-bar";
import { RollBackAll } from "../history/roll-back-all";

const columns: readonly Column<PreferenceView>[] = [
  {
    id: "app",
    header: "App",
    sort: "app",
    grow: 2,
    cell: (preference) => (
      <TextLink to={pathOf("preferences", preference.id)} size="sm">
        {preference.app}
      </TextLink>
    ),
  },
  { id: "user", header: "User", sort: "user", grow: 2, cell: (preference) => preference.user },
  {
    id: "data",
    header: "Data",
    grow: 2.9,
    cell: (preference) => <span className="mono">{JSON.stringify(preference.data)?.slice(0, 80)}</span>,
  },
  {
    id: "modified",
    header: "Changed",
    sort: "modified",
    grow: 1.4,
    cell: (preference) => <Time at={preference.modified} />,
  },
];

const filters: readonly Filter[] = [
  { name: "app", label: "App" },
  { name: "user", label: "User" },
];

export function PreferencesPage() {
  const client = useClient();
  const mayWrite = useMay("PREFERENCES", "WRITE");
  return (
    <ListPage
      title="Preferences"
      about="Data that apps store per user, such as columns and filters."
      actions={
        mayWrite && (
          <>
            <RollBackAll kind="preferences" />
            <Button component={RouterLink} to="/preferences/-/new" leftSection={<Icon name="plus" size={16} />}>
              New preference
            </Button>
          </>
        )
      }
      queryKey={["preferences"]}
      fetchRows={async (query, signal) => (await client.call("listPreferences", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(preference) => preference.id}
      defaultSort="app"
      rowName={(preference) => `${preference.app} of ${preference.user}`}
      bulk={(selection) => <BulkBar kind="preferences" {...selection} />}
      empty={<EmptyState title="No preferences yet">Preferences appear here when apps save them.</EmptyState>}
    />
  );
}
