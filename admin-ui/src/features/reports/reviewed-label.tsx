/** Whether a report was reviewed, and by whom. */

import { Label } from "../../ui/labels";

export function ReviewedLabel({ report }: { report: { reviewed: boolean; reviewedBy: string | null } }) {
  if (!report.reviewed) return <Label color="orange">new</Label>;
  return <Label color="green">{report.reviewedBy ? `reviewed by ${report.reviewedBy}` : "reviewed"}</Label>;
}

export const reviewedFilter = {
  name: "reviewed",
  label: "Reviewed",
  choices: [
    { value: "false", label: "new" },
    { value: "true", label: "reviewed" },
  ],
} as const;

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
