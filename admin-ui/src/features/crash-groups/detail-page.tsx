/** One group of crash reports: numbers, triage, preceding changes, notes and reports. */

import { Checkbox, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { useClient, useMay } from "../../api/context";
import type { CrashGroupDetail } from "../../api/generated/client";
import { AddressTabs } from "../../ui/address-tabs";
import { ColumnChart } from "../../ui/charts";
import { DocumentPage } from "../../ui/document/document-page";
import { SaveBar } from "../../ui/document/save-bar";
import { type DocumentSource, type EditedDocument, useDocument } from "../../ui/document/use-document";
import { Facts } from "../../ui/facts";
import { pathOf, TextLink } from "../../ui/link";
import { without } from "../../ui/list/columns";
import { ListPanel } from "../../ui/list/list-panel";
import { Time } from "../../ui/time";
import { filters, reportColumns } from "../crashes/columns";
import { Notes } from "../reports/notes";
import { StatusLabel, type TriageDraft, TriageFields } from "../reports/triage";
import { PrecedingChanges } from "./preceding";

export function CrashGroupPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneGroup key={id} id={id} />;
}

function OneGroup({ id }: { id: string }) {
  const mayWrite = useMay("CRASHES", "WRITE");
  const document = useDocument(useGroupSource(id));
  const group = document.view;
  return (
    <DocumentPage
      document={document}
      title={group ? group.signature : "Crash group"}
      back={{ to: "/crash-groups", label: "Crashes" }}
      about={group && `${group.app || group.product} ${group.version}`}
    >
      {group && (
        <AddressTabs
          tabs={[
            {
              name: "overview",
              label: "Overview",
              content: () => <Overview group={group} document={document} mayWrite={mayWrite} />,
            },
            { name: "reports", label: "Reports", content: () => <Reports id={id} /> },
          ]}
        />
      )}
    </DocumentPage>
  );
}

interface OverviewProps {
  group: CrashGroupDetail;
  document: EditedDocument<CrashGroupDetail, GroupDraft>;
  mayWrite: boolean;
}

function Overview({ group, document, mayWrite }: OverviewProps) {
  const client = useClient();
  const { draft, change } = document;
  return (
    <Stack>
      <Facts
        facts={[
          ["Status", <StatusLabel key="status" status={group.status} />],
          ["Assignee", group.assignee ?? "Not assigned"],
          [
            "Reports",
            <TextLink key="reports" to="." search={{ tab: "reports" }} size="sm">
              {group.count}
            </TextLink>,
          ],
          ["Affected users", group.users],
          ["Affected machines", group.machines],
          ["Product", group.product],
          ["First seen", <Time key="first" at={group.firstSeen} />],
          ["Last seen", <Time key="last" at={group.lastSeen} />],
          ["Status changed", group.changed && <Changed key="changed" group={group} />],
        ]}
      />
      {draft && (
        <Paper withBorder p="md" component="section" aria-label="Triage">
          <TriageFields draft={draft} onChange={(changed) => change(edited(draft, changed))} mayWrite={mayWrite} />
          {mayWrite && draft.status === "resolved" && group.unreviewed > 0 && (
            <Checkbox
              mt="sm"
              label={reviewLabel(group.unreviewed)}
              checked={draft.reviewReports}
              onChange={(event) => change({ ...draft, reviewReports: event.currentTarget.checked })}
            />
          )}
        </Paper>
      )}
      <SaveBar document={document} mayWrite={mayWrite} fields={["status", "assignee"]} />
      <PrecedingChanges group={group.id} version={group.version} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ColumnChart
          title="Reports of the last 14 days"
          counts={group.days.map((count, index) => ({ label: dayLabel(group.days.length - 1 - index), count }))}
          none="No reports in the last 14 days."
          note="Days in UTC."
        />
        <AffectedUsers group={group} />
      </SimpleGrid>
      <Notes
        queryKey={["crash-groups", group.id, "notes"]}
        read={async (signal) =>
          (await client.call("listCrashGroupNotes", { path: { group_id: group.id }, signal })).data
        }
        add={(text) => client.call("addCrashGroupNote", { path: { group_id: group.id }, body: { text } })}
        mayWrite={mayWrite}
      />
    </Stack>
  );
}

interface GroupDraft extends TriageDraft {
  /** Whether the reports are marked as reviewed together with the change. */
  readonly reviewReports: boolean;
}

/** Only a resolved group can mark its reports. */
function edited(draft: GroupDraft, changed: Partial<TriageDraft>): GroupDraft {
  const next = { ...draft, ...changed };
  return next.status === "resolved" ? next : { ...next, reviewReports: false };
}

/** The most reports that the manager marks at once. */
const MOST_REVIEWED = 10_000;

function reviewLabel(count: number): string {
  if (count === 1) return "Mark 1 report as reviewed";
  if (count > MOST_REVIEWED) return `Mark the newest ${MOST_REVIEWED.toLocaleString("en")} reports as reviewed`;
  return `Mark ${count.toLocaleString("en")} reports as reviewed`;
}

function Changed({ group }: { group: CrashGroupDetail }) {
  return (
    <>
      <Time at={group.changed} /> {group.changedBy ? `by ${group.changedBy}` : "by a new crash"}
    </>
  );
}

function AffectedUsers({ group }: { group: CrashGroupDetail }) {
  const mayUsers = useMay("USERS", "READ");
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="sm">
        Affected users
      </Title>
      <Table aria-label="Affected users">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>User</Table.Th>
            <Table.Th>Reports</Table.Th>
            <Table.Th>Last</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {group.affected.map(({ user, count, lastSeen }) => (
            <tr key={user ?? ""}>
              <td className="breaks">
                {user && mayUsers ? <TextLink to={pathOf("users", user)}>{user}</TextLink> : (user ?? "unknown")}
              </td>
              <td>{count}</td>
              <td>
                <Time at={lastSeen} />
              </td>
            </tr>
          ))}
        </Table.Tbody>
      </Table>
      {group.users > group.affected.length && (
        <Text size="xs" c="dimmed" mt="xs">
          The {group.affected.length} users with the most reports.
        </Text>
      )}
    </Paper>
  );
}

function Reports({ id }: { id: string }) {
  const client = useClient();
  return (
    <ListPanel
      label="Reports of this group"
      queryKey={["crashes", "of group", id]}
      fetchRows={async (query, signal) =>
        (await client.call("listCrashes", { query: { ...query, group: id }, signal })).data
      }
      columns={reportColumns}
      filters={without(without(filters, "version"), "processType")}
      rowKey={(crash) => crash.id}
      defaultSort="-received"
      empty={<Text c="dimmed">The reports of this group were deleted.</Text>}
    />
  );
}

/** The date of a day in UTC, such as `14 Nov`. */
function dayLabel(daysAgo: number): string {
  const day = new Date(Date.now() - daysAgo * 86_400_000);
  return day.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

function useGroupSource(id: string): DocumentSource<CrashGroupDetail, GroupDraft> {
  const client = useClient();
  const queries = useQueryClient();
  return useMemo(
    () => ({
      queryKey: ["crash-groups", id],
      read: (signal) => client.call("readCrashGroup", { path: { group_id: id }, ...(signal ? { signal } : {}) }),
      write: async ({ status, assignee, reviewReports }, etag, reason) => {
        // Only the server sets the status `returned`, so it is not sent.
        const body =
          status === "returned" ? { assignee } : { status, assignee, ...(reviewReports ? { reviewReports } : {}) };
        const written = await client.call("changeCrashGroup", { path: { group_id: id }, body, ifMatch: etag, reason });
        if (reviewReports) void queries.invalidateQueries({ queryKey: ["crashes"] });
        return written;
      },
      draftOf: ({ status, assignee }) => ({ status, assignee, reviewReports: false }),
    }),
    [client, queries, id],
  );
}
