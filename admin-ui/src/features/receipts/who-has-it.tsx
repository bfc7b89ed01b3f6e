/** The desktops that have applied the newest revision of a document, refreshed while some are pending. */

import { Button, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useClient, useMay } from "../../api/context";
import type { ReceiptList } from "../../api/generated/client";
import { Dialog } from "../../ui/dialog";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import { Time } from "../../ui/time";
import { KINDS, type ReceivedKind } from "../documents/kinds";
import { machineName } from "../sessions/columns";
import { receiptSentence } from "./receipt-sentence";

interface WhoHasItProps {
  kind: ReceivedKind;
  revision: number;
}

const MOST = 100;
const WHILE_WAITING_MS = 2_000;
const OTHERWISE_MS = 15_000;
/** After this number of requests, pending desktops are probably offline or do not report revisions. */
const SOON = 60;

export function WhoHasIt({ kind, revision }: WhoHasItProps) {
  const client = useClient();
  const mayRead = useMay("SESSIONS", "READ");
  const [isOpen, dialog] = useDisclosure(false);
  const found = useQuery({
    queryKey: ["receipts", kind, revision],
    queryFn: async ({ signal }) => {
      const query = { kind: KINDS[kind].receipts, revision, limit: MOST, sort: "applied,user" };
      return (await client.call("listReceipts", { query, signal })).data;
    },
    enabled: mayRead,
    refetchInterval: ({ state }) =>
      state.data?.pending && state.dataUpdateCount < SOON ? WHILE_WAITING_MS : OTHERWISE_MS,
  });
  if (!found.data) return null;
  const receipts = found.data;
  return (
    <Group gap="xs" wrap="nowrap" className="reach">
      <Text size="sm" component="div" role="status" aria-label="Receipts" c="dimmed">
        {receiptSentence(receipts)}
      </Text>
      {receipts.total > 0 && (
        <Button size="compact-sm" variant="default" onClick={dialog.open}>
          Show desktops
        </Button>
      )}
      <Dialog opened={isOpen} onClose={dialog.close} title={`Desktops with revision ${revision}`} size="lg">
        <Receipts receipts={receipts} />
      </Dialog>
    </Group>
  );
}

function Receipts({ receipts }: { receipts: ReceiptList }) {
  const share = (100 * receipts.applied) / Math.max(1, receipts.applied + receipts.pending);
  return (
    <Stack>
      <Text size="sm">{receiptSentence(receipts)}</Text>
      <Progress
        value={share}
        aria-label="Percentage of desktops that have applied the revision"
        color={share === 100 ? "green" : "rostrum"}
      />
      <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>User</Table.Th>
              <Table.Th>Machine</Table.Th>
              <Table.Th>Session</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Last report</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {receipts.items.map((receipt) => (
              <tr key={receipt.session}>
                <td className="breaks">
                  <TextLink to={pathOf("users", receipt.user)}>{receipt.user}</TextLink>
                </td>
                <td className="breaks">{machineName(receipt.machine)}</td>
                <td className="breaks">
                  <TextLink to={pathOf("sessions", receipt.session)} className="mono">
                    {receipt.session}
                  </TextLink>
                </td>
                <td>
                  {receipt.applied ? <Label color="green">applied</Label> : <Label color="orange">pending</Label>}
                </td>
                <td>
                  <Time at={receipt.reported ?? receipt.lastSeen} />
                </td>
              </tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {receipts.total > receipts.items.length && (
        <Text size="sm">and {receipts.total - receipts.items.length} more sessions</Text>
      )}
    </Stack>
  );
}
