/** The columns and filters of the list of crashes. */

import type { CrashView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { ReviewedLabel, reviewedFilter } from "../reports/reviewed-label";

export const columns: readonly Column<CrashView>[] = [
  {
    id: "received",
    header: "Received",
    sort: "received",
    grow: 1.2,
    cell: (crash) => (
      <TextLink to={pathOf("crashes", crash.id)} size="sm">
        <Time at={crash.received} />
      </TextLink>
    ),
  },
  { id: "user", header: "User", sort: "user", grow: 1.4, cell: (crash) => crash.user ?? "unknown" },
  { id: "product", header: "Product", sort: "product", cell: (crash) => crash.product },
  { id: "version", header: "Version", sort: "version", cell: (crash) => crash.version },
  { id: "platform", isOptional: true, header: "Platform", sort: "platform", cell: (crash) => crash.platform },
  { id: "processType", header: "Process", sort: "processType", cell: (crash) => crash.processType },
  { id: "reviewed", header: "Review", sort: "reviewed", grow: 1.6, cell: (crash) => <ReviewedLabel report={crash} /> },
];

export const filters: readonly Filter[] = [
  reviewedFilter,
  { name: "received", label: "Received", isPeriod: true },
  { name: "user", label: "User" },
  { name: "version", label: "Version" },
  { name: "processType", label: "Process" },
];
