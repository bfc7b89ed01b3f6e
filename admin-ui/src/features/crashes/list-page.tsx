/** Crashes that desktops reported. */

import { useClient } from "../../api/context";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { columns, filters } from "./columns";

export function CrashesPage() {
  const client = useClient();
  return (
    <ListPage
      title="Crashes"
      about="What the crash reporters of desktops sent."
      queryKey={["crashes"]}
      fetchRows={async (query, signal) => (await client.call("listCrashes", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(crash) => crash.id}
      defaultSort="-received"
      empty={<EmptyState title="No crashes">No desktop has reported one. May it stay so.</EmptyState>}
    />
  );
}
