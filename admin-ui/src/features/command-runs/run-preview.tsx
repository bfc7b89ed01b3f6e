/** The number of desktops that a run would include, and those that cannot receive the command. */

import { Alert, Paper, Table, Text, Title } from "@mantine/core";
import type { CommandRunPreview } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import { desktops } from "../commands/confirm-dialog";
import { machineName } from "../sessions/columns";
import { number } from "./sentences";

const STATES = { ready: "ready", offline: "offline", unsupported: "does not support the command", refused: "refused" };

export function RunPreview({ preview, retries }: { preview: CommandRunPreview; retries: boolean }) {
  const problems = preview.items.filter((item) => item.state !== "ready");
  const count = preview.offline + preview.unsupported + preview.refused;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        Preview
      </Title>
      <Text role="status" fw={600} mt="xs">
        {preview.total === 0 ? "No desktop matches." : summary(preview)}
      </Text>
      {preview.waves.length > 1 && (
        <Text size="sm">{`Waves: ${preview.waves.map(number).join(", then ")} desktops.`}</Text>
      )}
      {preview.offline > 0 && (
        <Text size="sm">
          {retries
            ? "Offline desktops receive the command when they connect, until the expiry time."
            : "Offline desktops do not receive the command. Set an expiry time to send it when they connect."}
        </Text>
      )}
      {preview.refused > 0 && (
        <Alert color="orange" variant="light" mt="xs">
          You cannot send this command to desktops of users who have more rights than you.
        </Alert>
      )}
      {problems.length > 0 && (
        <Table aria-label="Desktops that cannot receive the command now" layout="fixed" verticalSpacing={4} mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>User</Table.Th>
              <Table.Th>Machine</Table.Th>
              <Table.Th>State</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.map((item) => (
              <tr key={`${item.user} ${item.machine} ${item.session ?? ""}`}>
                <td className="breaks">
                  <TextLink to={pathOf("users", item.user)} size="sm">
                    {item.user}
                  </TextLink>
                </td>
                <td className="breaks">{machineName(item.machine) || "–"}</td>
                <td className="breaks">{STATES[item.state]}</td>
              </tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {count > problems.length && <Text size="sm">and {desktops(count - problems.length)} more</Text>}
    </Paper>
  );
}

function summary(preview: CommandRunPreview): string {
  const parts = [`${number(preview.ready)} ready`];
  if (preview.offline > 0) parts.push(`${number(preview.offline)} offline`);
  if (preview.unsupported > 0) parts.push(`${number(preview.unsupported)} without support for the command`);
  if (preview.refused > 0) parts.push(`${number(preview.refused)} refused`);
  return `${desktops(preview.total)}: ${parts.join(", ")}.`;
}
