/** The first page: numbers, problems, and the signed-in user. */

import { useMe } from "../../api/context";
import { PageBody, PageHead } from "../../ui/page";
import { Charts } from "./charts";
import { CountCards } from "./count-cards";
import { OwnView } from "./own-view";

export function DashboardPage() {
  const me = useMe();
  const sees = me.permissions.length > 0;
  return (
    <PageBody>
      <PageHead title="Dashboard" about={`Welcome, ${me.id}.`} />
      {sees && (
        <>
          <CountCards />
          <Charts />
        </>
      )}
      <OwnView />
    </PageBody>
  );
}
