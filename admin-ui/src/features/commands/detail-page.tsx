/** One command and its result. */

import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useClient, useMay } from "../../api/context";
import type { CommandView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { useRemoval } from "../../ui/document/use-removal";
import { Facts } from "../../ui/facts";
import { JsonText } from "../../ui/json-text";
import { pathOf, TextLink } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { exactTime } from "../../ui/time";
import { CommandStatus } from "./columns";

export function CommandPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const client = useClient();
  const mayWrite = useMay("COMMANDS", "WRITE");
  const removal = useRemoval(["commands"], "/commands");
  const found = useQuery({
    queryKey: ["commands", id],
    queryFn: async ({ signal }) => (await client.call("readCommand", { path: { command_id: id }, signal })).data,
    refetchInterval: 5_000,
  });
  return (
    <PageBody>
      <PageHead
        title={found.data?.command ?? "Command"}
        back={{ to: "/commands", label: "Commands" }}
        actions={
          found.data &&
          mayWrite && (
            <DeleteButton
              what="this command"
              consequence={
                found.data.status === "pending"
                  ? "The desktop has not fetched the command yet. The command is cancelled."
                  : "The result is deleted too."
              }
              onDelete={(reason) => client.call("deleteCommand", { path: { command_id: id }, reason })}
              onDeleted={removal.onDeleted}
            />
          )
        }
      />
      <QueryState query={found}>{(command) => <Answered command={command} />}</QueryState>
    </PageBody>
  );
}

function Answered({ command }: { command: CommandView }) {
  return (
    <>
      <Facts
        facts={[
          ["Status", <CommandStatus key="status" command={command} />],
          [
            "User",
            <TextLink key="user" to={pathOf("users", command.user)} size="sm">
              {command.user}
            </TextLink>,
          ],
          [
            "Session",
            <TextLink key="session" to={pathOf("sessions", command.session)} size="sm">
              {command.session}
            </TextLink>,
          ],
          ["Sent", `${exactTime(command.created)} by ${command.createdBy}`],
          ["Fetched", command.delivered ? exactTime(command.delivered) : "not yet"],
          ["Answered", command.finished ? exactTime(command.finished) : "not yet"],
        ]}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <JsonText title="Parameters" value={command.params} />
        <JsonText title="Answer" value={command.data} none="No result yet." />
      </SimpleGrid>
    </>
  );
}
