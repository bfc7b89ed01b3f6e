/** One machine and its sessions. */

import { Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useClient, useMay } from "../../api/context";
import type { MachineView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { useRemoval } from "../../ui/document/use-removal";
import { Facts } from "../../ui/facts";
import { ListPanel } from "../../ui/list/list-panel";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { exactTime } from "../../ui/time";
import { LayoutPreview } from "../layouts/preview";
import { columns as sessionColumns, filters as sessionFilters } from "../sessions/columns";
import { textOf } from "./columns";

const GIB = 1024 ** 3;

export function MachinePage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const client = useClient();
  const mayWrite = useMay("MACHINES", "WRITE");
  const removal = useRemoval(["machines"], "/machines");
  const found = useQuery({
    queryKey: ["machines", id],
    queryFn: async ({ signal }) => (await client.call("readMachine", { path: { machine_id: id }, signal })).data,
  });
  return (
    <PageBody>
      <PageHead
        title={found.data?.name || id}
        back={{ to: "/machines", label: "Machines" }}
        actions={
          found.data &&
          mayWrite && (
            <DeleteButton
              what="this machine"
              consequence="The machine is listed again when a desktop starts on it."
              onDelete={(reason) => client.call("deleteMachine", { path: { machine_id: id }, reason })}
              onDeleted={removal.onDeleted}
            />
          )
        }
      />
      <QueryState query={found}>{(machine) => <MachineFacts machine={machine} />}</QueryState>
      <MachineSessions id={id} />
    </PageBody>
  );
}

function MachineFacts({ machine }: { machine: MachineView }) {
  const { name: _name, os, cpu, memory, displays, ...others } = machine.info;
  const memoryText = typeof memory === "number" ? `${Math.round(memory / GIB)} GiB` : textOf(memory);
  return (
    <>
      <Facts
        facts={[
          ["Id", machine.id],
          ["Owner", machine.owner ?? "–"],
          ["System", textOf(os)],
          ["Processor", textOf(cpu)],
          ["Memory", memoryText],
          ["First seen", exactTime(machine.firstSeen)],
          ["Last seen", exactTime(machine.lastSeen)],
          ...Object.entries(others).map(([key, value]) => [key, textOf(value)] as const),
        ]}
      />
      {Array.isArray(displays) && displays.length > 0 && <Screens displays={displays} />}
    </>
  );
}

function Screens({ displays }: { displays: readonly unknown[] }) {
  const components = displays.map((display, index) => ({
    application: `Screen ${index + 1}`,
    state: { bounds: display },
  }));
  return (
    <Paper maw={400}>
      <LayoutPreview definition={{ components }} name="screens" title="Screens" />
    </Paper>
  );
}

function MachineSessions({ id }: { id: string }) {
  const client = useClient();
  const mayRead = useMay("SESSIONS", "READ");
  if (!mayRead) return null;
  return (
    <>
      <Title order={2} size="h4">
        Sessions
      </Title>
      <ListPanel
        label="Sessions"
        queryKey={["sessions", "on", id]}
        fetchRows={async (query, signal) =>
          (await client.call("listSessions", { query: { ...query, machine: id }, signal })).data
        }
        columns={sessionColumns.filter((column) => column.id !== "machine")}
        filters={sessionFilters}
        rowKey={(session) => session.id}
        defaultSort="-started"
        empty={<Text c="dimmed">No sessions of this machine are stored.</Text>}
      />
    </>
  );
}
