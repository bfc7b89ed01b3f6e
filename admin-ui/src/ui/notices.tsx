/** Short messages in the corner. */

import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { createContext, type ReactNode, useContext } from "react";
import { detailsOf, isProposed, isUnauthorized, messageOf, type Proposed } from "../api/errors";

/** Creates the link to a proposal. Only pages with a router have links, and the browser platform has none. */
export const ProposalLink = createContext<(proposal: string) => ReactNode>(() => null);

export function showDone(message: string): void {
  notifications.show({ message, color: "green", autoClose: 4000 });
}

/** Report an action and offer to undo it. */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    color: "green",
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            void undo().then(() => showDone("Undone."), showError);
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

export function showError(error: unknown): void {
  // The sign-in dialog already shows it.
  if (isUnauthorized(error)) return;
  if (isProposed(error)) {
    const message = <ProposedMessage error={error} />;
    notifications.show({ message, color: "blue", autoClose: 10_000, role: "status" });
    return;
  }
  const details = detailsOf(error).map((detail) =>
    detail.path ? `${detail.path}: ${detail.message}` : detail.message,
  );
  const text = [messageOf(error), ...details.slice(0, 5)].join(" ");
  notifications.show({ message: text, color: "red", autoClose: 10_000, role: "alert" });
}

function ProposedMessage({ error }: { error: Proposed }) {
  const link = useContext(ProposalLink);
  return (
    <Text size="sm">
      {error.message} {link(error.proposal)}
    </Text>
  );
}
