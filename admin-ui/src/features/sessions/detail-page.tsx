/** One session: its desktop and its commands. */

import { Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useClient, useMay } from "../../api/context";
import type { SessionView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { useRemoval } from "../../ui/document/use-removal";
import { Facts } from "../../ui/facts";
import { Icon } from "../../ui/icons";
import { Names } from "../../ui/labels";
import { pathOf, RouterLink, TextLink } from "../../ui/link";
import { without } from "../../ui/list/columns";
import { ListPanel } from "../../ui/list/list-panel";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { exactTime } from "../../ui/time";
import { columns as commandColumns, filters as commandFilters } from "../commands/columns";
import { commandNames } from "../commands/supported";
import { SessionState } from "./columns";

export function SessionPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const client = useClient();
  const mayCommand = useMay("COMMANDS", "WRITE");
  const mayEnd = useMay("SESSIONS", "WRITE");
  const removal = useRemoval(["sessions"], "/sessions");
  const found = useQuery({
    queryKey: ["sessions", id],
    queryFn: async ({ signal }) => (await client.call("readSession", { path: { session_id: id }, signal })).data,
    refetchInterval: 10_000,
  });
  const session = found.data;
  return (
    <PageBody>
      <PageHead
        title={`Session ${id}`}
        back={{ to: "/sessions", label: "Sessions" }}
        actions={
          session?.active && (
            <>
              {mayCommand && (
                <Button
                  component={RouterLink}
                  to="/commands/-/new"
                  search={{ session: id }}
                  leftSection={<Icon name="send" size={16} />}
                >
                  Send a command
                </Button>
              )}
              {mayEnd && (
                <DeleteButton
                  word="End"
                  what="this session"
                  consequence="The desktop must sign in again."
                  onDelete={(reason) => client.call("endSession", { path: { session_id: id }, reason })}
                  onDeleted={removal.onDeleted}
                />
              )}
            </>
          )
        }
      />
      <QueryState query={found}>{(data) => <SessionFacts session={data} />}</QueryState>
      {session && <SentCommands session={session} />}
    </PageBody>
  );
}

function SessionFacts({ session }: { session: SessionView }) {
  return (
    <Facts
      facts={[
        ["State", <SessionState key="state" session={session} />],
        [
          "User",
          <TextLink key="user" to={pathOf("users", session.user)} size="sm">
            {session.user}
          </TextLink>,
        ],
        [
          "Machine",
          <TextLink key="machine" to={pathOf("machines", session.machine)} size="sm">
            {session.machine}
          </TextLink>,
        ],
        ["Product and version", `${session.product} ${session.version}`],
        ["Environment", session.env],
        ["Region", session.region],
        ["Started", exactTime(session.started)],
        ["Last seen", exactTime(session.lastSeen)],
        ["Ended", session.ended ? exactTime(session.ended) : "–"],
        ["Supported commands", <Names key="commands" names={commandNames(session.commands)} most={4} />],
      ]}
    />
  );
}

function SentCommands({ session }: { session: SessionView }) {
  const client = useClient();
  const mayRead = useMay("COMMANDS", "READ");
  if (!mayRead) return null;
  return (
    <>
      <Title order={2} size="h4">
        Commands
      </Title>
      <ListPanel
        label="Commands"
        queryKey={["commands", "to", session.id]}
        fetchRows={async (query, signal) =>
          (await client.call("listCommands", { query: { ...query, session: session.id }, signal })).data
        }
        columns={commandColumns.filter((column) => column.id !== "user" && column.id !== "session")}
        filters={without(commandFilters, "user")}
        rowKey={(command) => command.id}
        defaultSort="-created"
        empty={<Text c="dimmed">No command was sent to this session.</Text>}
        refetchInterval={5_000}
      />
    </>
  );
}
