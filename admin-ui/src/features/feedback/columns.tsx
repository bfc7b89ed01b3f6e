/** The columns and filters of the list of feedback. */

import type { FeedbackView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { sizeText } from "../reports/reviewed-label";
import { assigneeFilter, feedbackStatusFilter, StatusLabel } from "../reports/triage";

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
    id: "status",
    header: "Status",
    sort: "status",
    grow: 1.4,
    cell: (feedback) => <StatusLabel status={feedback.status} />,
  },
  {
    id: "assignee",
    isOptional: true,
    header: "Assignee",
    sort: "assignee",
    grow: 1.2,
    cell: (feedback) => feedback.assignee ?? "–",
  },
];

export const filters: readonly Filter[] = [
  feedbackStatusFilter,
  assigneeFilter,
  { name: "received", label: "Received", isPeriod: true },
  { name: "user", label: "User" },
  { name: "description", label: "Words" },
];
