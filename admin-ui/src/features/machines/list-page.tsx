/** The list of machines on which desktops run. */

import { useClient } from "../../api/context";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters } from "./columns";

export function MachinesPage() {
  const client = useClient();
  return (
    <ListPage
      title="Machines"
      about="Computers that desktops run on, as reported by the desktops."
      queryKey={["machines"]}
      fetchRows={async (query, signal) => (await client.call("listMachines", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(machine) => machine.id}
      defaultSort="name"
      rowName={(machine) => machine.name || machine.id}
      bulk={(selection) => <BulkBar kind="machines" {...selection} />}
      empty={<EmptyState title="No machines yet">Machines appear here when desktops start on them.</EmptyState>}
    />
  );
}
