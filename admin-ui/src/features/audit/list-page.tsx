/** The list of audit entries. */

import { useClient } from "../../api/context";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { columns, filters } from "./columns";
import { VerifyButton } from "./verify-button";

export function AuditPage() {
  const client = useClient();
  return (
    <ListPage
      title="Audit"
      about="All operations that changed data. Entries are chained, so modified or deleted entries are detected."
      actions={<VerifyButton />}
      queryKey={["audit"]}
      fetchRows={async (query, signal) => (await client.call("listAudit", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(entry) => String(entry.number)}
      defaultSort="-number"
      empty={<EmptyState title="No entries yet">An entry appears after the first change.</EmptyState>}
    />
  );
}
