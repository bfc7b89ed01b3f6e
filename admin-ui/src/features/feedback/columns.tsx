/** The columns and filters of the list of feedback. */

import type { FeedbackView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { ReviewedLabel, reviewedFilter, sizeText } from "../reports/reviewed-label";

export const columns: readonly Column<FeedbackView>[] = [
  {
    id: "description",
    header: "Comment",
    sort: "description",
    grow: 4,
    cell: (feedback) => (
      <TextLink to={pathOf("feedback", feedback.id)} size="sm">
        {feedback.description || "no comment"}
      </TextLink>
    ),
  },
  { id: "user", header: "User", sort: "user", grow: 1.4, cell: (feedback) => feedback.user },
  {
    id: "received",
    header: "Received",
    sort: "received",
    grow: 1.4,
    cell: (feedback) => <Time at={feedback.received} />,
  },
  {
    id: "attachment",
    isOptional: true,
    header: "File",
    cell: (feedback) => (feedback.attachment ? sizeText(feedback.attachment.size) : "–"),
  },
  {
    id: "reviewed",
    header: "Review",
    sort: "reviewed",
    grow: 1.6,
    cell: (feedback) => <ReviewedLabel report={feedback} />,
  },
];

export const filters: readonly Filter[] = [
  reviewedFilter,
  { name: "received", label: "Received", isPeriod: true },
  { name: "user", label: "User" },
  { name: "description", label: "Words" },
];
