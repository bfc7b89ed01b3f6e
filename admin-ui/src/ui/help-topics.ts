/** The section of the guides for each page. The guides are part of the admin UI, see `features/help`. */

const TOPICS: readonly (readonly [path: string, topic: string])[] = [
  ["/apps", "manager#make-an-app-available"],
  ["/directories", "browser-platforms#directory-address-of-a-user-or-group"],
  ["/layouts", "manager#effective-apps-layouts-and-settings"],
  ["/configs", "configuration#precedence"],
  ["/preferences", "manager#lists"],
  ["/users", "admin-ui#grant-an-app"],
  ["/tokens", "manager#api-tokens-and-service-accounts"],
  ["/groups", "manager#permissions"],
  ["/compare", "admin-ui#compare-users-and-groups"],
  ["/batches", "admin-ui#change-many-documents"],
  ["/sessions", "manager#polling"],
  ["/machines", "admin-ui#change-many-documents"],
  ["/commands", "manager#commands"],
  ["/rollouts", "admin-ui#roll-a-change-out-in-stages"],
  ["/crash-groups", "admin-ui#find-out-what-broke"],
  ["/crashes", "admin-ui#find-out-what-broke"],
  ["/feedback", "admin-ui#find-out-what-broke"],
  ["/proposals", "manager#approval-by-a-second-administrator"],
  ["/audit", "manager#history-roll-back-and-audit-log"],
  ["/server", "manager#export-and-import"],
];
const OVERVIEW = "admin-ui";
const DASHBOARD = "admin-ui#dashboard";

/** The guide and section for a path of the admin UI; none for the guides themselves. */
export function helpFor(path: string): string | null {
  if (path === "/") return `/help/${DASHBOARD}`;
  if (path.startsWith("/help")) return null;
  const found = TOPICS.find(([start]) => path === start || path.startsWith(`${start}/`));
  return `/help/${found?.[1] ?? OVERVIEW}`;
}

export const HELP_TOPICS: readonly string[] = [OVERVIEW, DASHBOARD, ...TOPICS.map(([, topic]) => topic)];
