/** The groups of crash reports with the same product, app, version and signature. */

import { useClient } from "../../api/context";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters } from "./columns";
import { ViewSwitch } from "./view-switch";

export function CrashGroupsPage() {
  const client = useClient();
  return (
    <ListPage
      title="Crashes"
      about="Reports with the same product, app, version and signature form one group."
      actions={<ViewSwitch current="/crash-groups" />}
      queryKey={["crash-groups"]}
      fetchRows={async (query, signal) => (await client.call("listCrashGroups", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(group) => group.id}
      defaultSort="-lastSeen"
      rowName={(group) => `${group.signature}, ${group.app || group.product} ${group.version}`}
      bulk={(selection) => <BulkBar kind="crash-groups" {...selection} />}
      empty={<EmptyState title="No crashes">No desktop has reported a crash.</EmptyState>}
      refetchInterval={30_000}
    />
  );
}
