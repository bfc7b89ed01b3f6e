/** The list of feedback. */

import { useClient } from "../../api/context";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters } from "./columns";

export function FeedbackListPage() {
  const client = useClient();
  return (
    <ListPage
      title="Feedback"
      about="Feedback that users sent from their desktops."
      queryKey={["feedback"]}
      fetchRows={async (query, signal) => (await client.call("listFeedback", { query, signal })).data}
      columns={columns}
      filters={filters}
      rowKey={(feedback) => feedback.id}
      defaultSort="-received"
      rowName={(feedback) => `feedback of ${feedback.user}`}
      bulk={(selection) => <BulkBar kind="feedback" {...selection} />}
      empty={
        <EmptyState title="No feedback yet">Feedback appears here when users send it from their desktops.</EmptyState>
      }
    />
  );
}
