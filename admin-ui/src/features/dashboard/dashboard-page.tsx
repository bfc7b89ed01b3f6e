/** The first page. */

import { PageBody, PageHead } from "../../ui/page";

export function DashboardPage() {
  return (
    <PageBody>
      <PageHead title="Dashboard" />
    </PageBody>
  );
}
