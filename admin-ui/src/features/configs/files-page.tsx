/** All configuration files in one list, to find, export and delete them. */

import { Button } from "@mantine/core";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters } from "./columns";
import { placeOf, placeText, SCOPE_LABELS, SCOPES } from "./scope";

const SCOPE_FILTER = {
  name: "scope",
  label: "Scope",
  choices: SCOPES.map((scope) => ({ value: scope, label: SCOPE_LABELS[scope] })),
};

export function ConfigFilesPage() {
  const client = useClient();
  const mayWrite = useMay("SYSTEM_CONFIGS", "WRITE");
  return (
    <ListPage
      title="Configuration files"
      back={{ to: "/configs", label: "System configuration" }}
      about="All configuration files, with the users that each applies to."
      actions={
        mayWrite && (
          <Button component={RouterLink} to="/configs/-/new" leftSection={<Icon name="plus" size={16} />}>
            New file
          </Button>
        )
      }
      queryKey={["configs"]}
      fetchRows={async (query, signal) => (await client.call("listConfigs", { query, signal })).data}
      columns={columns}
      filters={[SCOPE_FILTER, ...filters]}
      rowKey={(config) => config.id}
      rowName={(config) => `${config.file} ${placeText(placeOf(config))}`}
      defaultSort="file"
      bulk={(selection) => <BulkBar kind="configs" {...selection} />}
      empty={<EmptyState title="No configuration files yet">Create a file for everyone, a group or a user.</EmptyState>}
    />
  );
}
