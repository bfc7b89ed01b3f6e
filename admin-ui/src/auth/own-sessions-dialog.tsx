/** Lists the sessions of the signed-in user, and signs out everywhere. The platform page uses it too, so it has no router links. */

import { Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useClient, useSession } from "../api/context";
import { NOTHING } from "../api/endings";
import { messageOf } from "../api/errors";
import type { OwnSessions } from "../api/generated/client";
import { Dialog } from "../ui/dialog";
import { Label } from "../ui/labels";
import { Failure } from "../ui/states/failure";
import { QueryState } from "../ui/states/query-state";
import { Time } from "../ui/time";
import { EndingsFields } from "./endings-fields";

interface OwnSessionsDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The session of this page. Requests with a cookie do not name it, so the manager cannot mark it. */
  own: string | null;
}

export function OwnSessionsDialog({ opened, onClose, own }: OwnSessionsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Your sessions" size="lg" centered keepMounted={false}>
      <Sessions onClose={onClose} own={own} />
    </Dialog>
  );
}

function Sessions({ onClose, own }: Omit<OwnSessionsDialogProps, "opened">) {
  const client = useClient();
  const found = useQuery({
    queryKey: ["own-sessions"],
    queryFn: async ({ signal }) => (await client.call("readOwnSessions", { signal })).data,
    gcTime: 0,
  });
  return (
    <Stack>
      <QueryState query={found}>{(sessions) => <Tables sessions={sessions} own={own} />}</QueryState>
      <SignOut onClose={onClose} />
    </Stack>
  );
}

function Tables({ sessions: { desktops, signIns }, own }: { sessions: OwnSessions; own: string | null }) {
  return (
    <>
      <Part
        title="Desktops and browser platforms"
        none="No desktop or browser platform is signed in."
        isEmpty={desktops.length === 0}
      >
        <Table aria-label="Desktops and browser platforms" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Machine</Table.Th>
              <Table.Th>Version</Table.Th>
              <Table.Th>Started</Table.Th>
              <Table.Th>Last contact</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {desktops.map((each) => (
              <tr key={each.id}>
                <td className="breaks">
                  {each.machine} {(each.current || each.id === own) && <Label color="blue">this one</Label>}
                </td>
                <td>{[each.product, each.version].filter(Boolean).join(" ")}</td>
                <td>
                  <Time at={each.started} />
                </td>
                <td>
                  <Time at={each.lastSeen} />
                </td>
              </tr>
            ))}
          </Table.Tbody>
        </Table>
      </Part>
      <Part title="Sign-ins with your password" none="No sign-ins in the last 30 days." isEmpty={signIns.length === 0}>
        <Table aria-label="Sign-ins with your password" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Address</Table.Th>
              <Table.Th>Last sign-in</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {signIns.map((each) => (
              <tr key={each.address}>
                <td className="breaks">
                  {each.address} {each.current && <Label color="blue">this address</Label>}
                </td>
                <td>
                  <Time at={each.lastSeen} />
                </td>
              </tr>
            ))}
          </Table.Tbody>
        </Table>
      </Part>
      <Text size="sm" c="dimmed">
        The manager does not record each browser session. The second table shows the addresses from which you signed in
        during the last 30 days.
      </Text>
    </>
  );
}

interface PartProps {
  title: string;
  none: string;
  isEmpty: boolean;
  children: React.ReactNode;
}

function Part({ title, none, isEmpty, children }: PartProps) {
  return (
    <Stack gap={4}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        children
      )}
    </Stack>
  );
}

function SignOut({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const [ends, setEnds] = useState(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState("");
  const signOut = async () => {
    setBusy(true);
    setMessage("");
    try {
      await session.logOutEverywhere(ends);
    } catch (error) {
      setMessage(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        <strong>Sign out everywhere</strong> ends all your sessions in browsers and on desktops immediately, including
        this one. Your password stays the same.
      </Text>
      <EndingsFields owner="your" ends={ends} onChange={setEnds} />
      <Failure message={message} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button color="red" loading={isBusy} onClick={() => void signOut()}>
          Sign out everywhere
        </Button>
      </Group>
    </Stack>
  );
}
