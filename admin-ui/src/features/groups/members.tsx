/** The effective members of a group, with their memberships; direct members are added and removed on save. */

import { Button, Paper, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import { useClient, useMay } from "../../api/context";
import type { MemberView, Proposal } from "../../api/generated/client";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";
import { type Column, without } from "../../ui/list/columns";
import { ListPanel } from "../../ui/list/list-panel";
import { NamesInput } from "../../ui/names-input";
import { ChangeEffect } from "../previews/change-effect";
import { columns as userColumns, filters as userFilters } from "../users/columns";
import { useUserNames } from "../users/user-names";
import { Membership } from "./membership";
import { groupsAfter, type MembersDraft, movesOf } from "./use-members";

interface Leaving {
  readonly users: ReadonlySet<string>;
  readonly toggle: (user: string) => void;
}

/** Rows are rendered once, so the selection is passed separately. */
const LeavingContext = createContext<Leaving>({ users: new Set(), toggle: () => undefined });

const SHOWN = new Set(["id", "email", "disabled"]);
const [nameColumn, ...otherColumns] = userColumns.filter((column) => SHOWN.has(column.id));

/** The membership is beside the name, so that it is visible on narrow screens. */
function columnsFor(group: string, mayWrite: boolean): readonly Column<MemberView>[] {
  const cell = ({ id, ways }: MemberView) => (
    <span className="in-row">
      {mayWrite && isDirect(ways) && <RemoveButton user={id} />}
      <Membership group={group} ways={ways} />
    </span>
  );
  const way: Column<MemberView> = { id: "way", header: "Membership", grow: 3.2, cell };
  return [...(nameColumn ? [nameColumn] : []), way, ...otherColumns];
}

const isDirect = (ways: MemberView["ways"]): boolean => ways.some((way) => way.length === 1);

interface GroupMembersProps {
  group: string;
  members: EditedDocument<undefined, MembersDraft>;
}

export function GroupMembers({ group, members }: GroupMembersProps) {
  const client = useClient();
  const mayWrite = useMay("USERS", "WRITE");
  const names = useUserNames();
  const proposals = useProposals(group);
  const columns = useMemo(() => columnsFor(group, mayWrite), [group, mayWrite]);
  const { draft = { added: [], removed: [] }, change } = members;
  const leaving = useMemo(() => {
    const toggle = (user: string) => change({ ...draft, removed: toggled(draft.removed, user) });
    return { users: new Set(draft.removed), toggle };
  }, [draft, change]);
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Paper withBorder p="md">
          <NamesInput
            label="Add members"
            description="Type part of the name or e-mail address, and select a user."
            value={draft.added}
            onChange={(added) => change({ ...draft, added })}
            suggestions={names}
          />
        </Paper>
      )}
      <LeavingContext value={leaving}>
        <ListPanel
          label={`Members of ${group}`}
          queryKey={["users", "in", group]}
          fetchRows={async (query, signal) =>
            (await client.call("listGroupMembers", { path: { group_name: group }, query, signal })).data
          }
          columns={columns}
          filters={[
            { name: "group", label: "Membership", choices: [{ value: group, label: "direct" }] },
            ...without(userFilters, "group"),
          ]}
          rowKey={(user) => user.id}
          defaultSort="id"
          empty={<Text c="dimmed">This group has no members, neither directly nor through other groups.</Text>}
        />
      </LeavingContext>
      {draft.removed.length > 0 && (
        <Text size="sm" className="breaks">
          Members to remove: {draft.removed.join(", ")}
        </Text>
      )}
      <SaveBar
        changes="user"
        document={members}
        mayWrite={mayWrite}
        beside={members.isDirty && <ChangeEffect kind="users" subject={draft} proposals={() => proposals(draft)} />}
      />
    </Stack>
  );
}

function RemoveButton({ user }: { user: string }) {
  const { users, toggle } = useContext(LeavingContext);
  const isLeaving = users.has(user);
  return (
    <Button
      size="compact-sm"
      variant={isLeaving ? "light" : "default"}
      {...(isLeaving ? { color: "red" } : {})}
      aria-label={isLeaving ? `Keep ${user}` : `Remove ${user}`}
      onClick={() => toggle(user)}
    >
      {isLeaving ? "Keep" : "Remove"}
    </Button>
  );
}

/** The writes of a save, for a preview: the current groups of each user, with one added or removed. */
function useProposals(group: string): (draft: MembersDraft) => Promise<Proposal[]> {
  const client = useClient();
  const queries = useQueryClient();
  const read = (user: string) =>
    queries.fetchQuery({
      queryKey: ["users", user],
      queryFn: ({ signal }) => client.call("readUser", { path: { user_id: user }, signal }),
    });
  return (draft) =>
    Promise.all(
      movesOf(draft).map(async ({ user, belongs }) => {
        const { data } = await read(user);
        return { action: "change", key: user, document: { groups: groupsAfter(data.groups, group, belongs) } };
      }),
    );
}

function toggled(names: readonly string[], name: string): string[] {
  return names.includes(name) ? names.filter((each) => each !== name) : [...names, name];
}
