/** Confirms a command before it is sent, with its effect and the affected desktops. */

import { Button, Group, List, ScrollArea, Stack, Text } from "@mantine/core";
import type { SessionView } from "../../api/generated/client";
import { Dialog } from "../../ui/dialog";
import { machineName } from "../sessions/columns";
import { effectOf } from "./effects";

interface ConfirmDialogProps {
  command: string;
  sessions: readonly SessionView[];
  opened: boolean;
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

export function ConfirmDialog({ command, sessions, opened, isBusy, onCancel, onConfirm }: ConfirmDialogProps) {
  const users = new Set(sessions.map((session) => session.user)).size;
  return (
    <Dialog opened={opened} onClose={onCancel} title={`Send ${command} to ${desktops(sessions.length)}?`} centered>
      <Stack gap="sm">
        <Text size="sm">{effectOf(command)}</Text>
        <Text size="sm" fw={500}>
          Affects {desktops(sessions.length)} of {users === 1 ? "1 user" : `${users.toLocaleString()} users`}:
        </Text>
        <ScrollArea.Autosize mah={220} type="auto" viewportProps={{ tabIndex: 0 }}>
          <List size="sm" aria-label="Affected desktops">
            {sessions.map((session) => (
              <List.Item key={session.id}>
                {session.user} on {machineName(session.machine)}
              </List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isBusy} onClick={onConfirm}>
            Send {command}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

export function desktops(count: number): string {
  return count === 1 ? "1 desktop" : `${count.toLocaleString()} desktops`;
}
