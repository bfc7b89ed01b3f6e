/** The columns and filters of the list of crashes. */

import type { CrashView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { ReviewedLabel, reviewedFilter } from "../reports/reviewed-label";
import { dumpPlace } from "./dump-facts";

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
  { id: "app", isOptional: true, header: "App", sort: "app", cell: (crash) => crash.app },
  { id: "version", header: "Version", sort: "version", cell: (crash) => crash.version },
  { id: "platform", isOptional: true, header: "Platform", sort: "platform", cell: (crash) => crash.platform },
  { id: "processType", header: "Process", sort: "processType", cell: (crash) => crash.processType },
  { id: "reviewed", header: "Review", sort: "reviewed", grow: 1.6, cell: (crash) => <ReviewedLabel report={crash} /> },
];

/** The columns for the reports of one group, which have the same product, version and process. */
export const reportColumns: readonly Column<CrashView>[] = [
  ...columns.filter(({ id }) => id === "received" || id === "user"),
  { id: "machine", isOptional: true, header: "Machine", sort: "machine", grow: 1.4, cell: (crash) => crash.machine },
  { id: "platform", isOptional: true, header: "Platform", sort: "platform", cell: (crash) => crash.platform },
  {
    id: "dump",
    header: "Minidump",
    grow: 2.2,
    cell: ({ dump }) => (dump ? dump.problem || [dump.reason, dumpPlace(dump)].filter(Boolean).join(", ") : "–"),
  },
  ...columns.filter(({ id }) => id === "reviewed"),
];

export const filters: readonly Filter[] = [
  reviewedFilter,
  { name: "received", label: "Received", isPeriod: true },
  { name: "user", label: "User" },
  { name: "version", label: "Version" },
  { name: "processType", label: "Process" },
];
