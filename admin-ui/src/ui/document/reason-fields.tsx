/** The comment and the ticket of a change. */

import { Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChangeRules } from "../../api/change-rules";
import { NO_REASON, type Reason } from "../../api/client";
import { fieldErrors } from "./field-errors";

/** A kind of document, by the name that the audit log uses. */
export type ChangedKind = "app" | "layout" | "preference" | "config" | "user" | "group";

export interface GivenReason {
  readonly reason: Reason;
  readonly set: (reason: Reason) => void;
  readonly isRequired: boolean;
  /** Whether a required comment is missing. */
  readonly isMissing: boolean;
  /** The reason to undo the changes: “Undo” and their own comment. */
  readonly undo: Reason;
}

const MOST_COMMENT = 256;

export function useReason(kind: ChangedKind | undefined): GivenReason {
  const { commentRequired } = useChangeRules();
  const [reason, set] = useState(NO_REASON);
  const isRequired = kind !== undefined && commentRequired.includes(kind);
  return {
    reason,
    set,
    isRequired,
    isMissing: isRequired && reason.comment.trim() === "",
    undo: { ...reason, comment: ["Undo", reason.comment.trim()].filter(Boolean).join(": ").slice(0, MOST_COMMENT) },
  };
}

/** Two small fields in one row. */
export function ReasonFields({ given, error = null }: { given: GivenReason; error?: unknown }) {
  const { reason, set, isRequired } = given;
  const errors = fieldErrors(error, ["comment", "ticket"]);
  return (
    <Group gap="sm" align="flex-start" className="reason-fields">
      <TextInput
        size="xs"
        aria-label="Comment"
        placeholder={isRequired ? "Comment (required)" : "Comment (optional)"}
        required={isRequired}
        maxLength={MOST_COMMENT}
        value={reason.comment}
        error={errors.at("comment")}
        onChange={(event) => set({ ...reason, comment: event.currentTarget.value })}
        style={{ flex: "3 1 12rem" }}
      />
      <TextInput
        size="xs"
        aria-label="Ticket"
        placeholder="Ticket (optional)"
        maxLength={64}
        value={reason.ticket}
        error={errors.at("ticket")}
        onChange={(event) => set({ ...reason, ticket: event.currentTarget.value })}
        style={{ flex: "1 1 8rem" }}
      />
    </Group>
  );
}
