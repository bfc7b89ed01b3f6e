/** The list of crash reports. */

import { useClient } from "../../api/context";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { ViewSwitch } from "../crash-groups/view-switch";
import { columns, filters } from "./columns";

export function CrashesPage() {
  const client = useClient();
  return (
    <ListPage
      title="Crashes"
      about="Crash reports sent by desktops."
      actions={<ViewSwitch current="/crashes" />}
      queryKey={["crashes"]}
      fetchRows={async (query, signal) => (await client.call("listCrashes", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(crash) => crash.id}
      defaultSort="-received"
      rowName={(crash) => `crash of ${crash.user ?? "an unknown user"}`}
      bulk={(selection) => <BulkBar kind="crashes" {...selection} />}
      empty={<EmptyState title="No crashes">No desktop has reported a crash.</EmptyState>}
    />
  );
}
