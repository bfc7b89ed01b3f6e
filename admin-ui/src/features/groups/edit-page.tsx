/** The page of one group: its settings, members, and access. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Reason } from "../../api/client";
import { may, useClient, useMay, useMe } from "../../api/context";
import { AddressTabs, type Tab } from "../../ui/address-tabs";
import { useDocument } from "../../ui/document/use-document";
import { groupDeletionBlocked } from "../access/blocked";
import { CompareLink } from "../compare/compare-link";
import { EditFrame } from "../documents/edit-frame";
import { Reach } from "../documents/reach";
import { type GroupDraft, GroupForm } from "./group-form";
import { GroupMembers } from "./members";
import { useMembers } from "./use-members";
import { GroupApps, GroupConfigs, GroupLayouts } from "./what-it-gives";

export function GroupPage() {
  const { name = "" } = useParams({ strict: false }) as { name?: string };
  return <OneGroup key={name} name={name} />;
}

function OneGroup({ name }: { name: string }) {
  const client = useClient();
  const me = useMe();
  const mayWrite = useMay("GROUPS", "WRITE");
  const document = useDocument(useGroupSource(name));
  const members = useMembers(name);
  const files = useQuery({
    queryKey: ["configs", "for", name, "count"],
    queryFn: async ({ signal }) =>
      (await client.call("listConfigs", { query: { group: name, limit: 1 }, signal })).data.total,
    enabled: may(me, "SYSTEM_CONFIGS", "READ"),
  });
  const tabs: Tab[] = [
    {
      name: "general",
      label: "General",
      content: () => (
        <GroupForm
          document={document}
          mayWrite={mayWrite}
          beside={
            <Reach
              kind="groups"
              document={document}
              proposal={(draft) => ({ action: "change", key: name, document: { ...draft } })}
            />
          }
        />
      ),
    },
  ];
  if (may(me, "USERS", "READ"))
    tabs.push({ name: "members", label: "Members", content: () => <GroupMembers group={name} members={members} /> });
  if (may(me, "APPS", "READ")) tabs.push({ name: "apps", label: "Apps", content: () => <GroupApps group={name} /> });
  if (may(me, "LAYOUTS", "READ"))
    tabs.push({ name: "layouts", label: "Layouts", content: () => <GroupLayouts group={name} /> });
  if (may(me, "SYSTEM_CONFIGS", "READ"))
    tabs.push({ name: "configs", label: "Configuration", content: () => <GroupConfigs group={name} /> });
  return (
    <EditFrame
      kind="groups"
      id={name}
      document={document}
      title={name}
      actions={<CompareLink kind="groups" id={name} />}
      draftOf={draftOfBody}
      removal={{
        what: `the group ${name}`,
        consequence:
          "The group is removed from all users, apps and layouts. To undo this, select “Roll back” on the lists of groups, users, apps and layouts.",
        remove: (reason) => client.call("deleteGroup", { path: { group_name: name }, reason }),
        comesBack: false,
        blocked: groupDeletionBlocked(me, name, document.view?.expandsTo ?? [], files.data ?? 0),
      }}
    >
      <AddressTabs tabs={tabs} />
    </EditFrame>
  );
}

function useGroupSource(name: string) {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["groups", name],
      read: (signal?: AbortSignal) =>
        client.call("readGroup", { path: { group_name: name }, ...(signal ? { signal } : {}) }),
      write: (draft: { priority: number; expandsTo: readonly string[] }, etag: string | null, reason: Reason) =>
        client.call("changeGroup", {
          path: { group_name: name },
          body: { priority: draft.priority, expandsTo: [...draft.expandsTo] },
          ifMatch: etag,
          reason,
        }),
      draftOf: (view: { priority: number; expandsTo: readonly string[] }) => ({
        priority: view.priority,
        expandsTo: view.expandsTo,
      }),
    }),
    [client, name],
  );
}

function draftOfBody(body: Record<string, unknown>): GroupDraft {
  const { priority = 0, expandsTo = [] } = body as Partial<GroupDraft>;
  return { priority, expandsTo };
}
