/** Chooses how a user receives an app, shows who else is affected, and applies it. */

import { Radio, Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import type { Proposal } from "../../api/generated/client";
import { Dialog } from "../../ui/dialog";
import { pathOf } from "../../ui/link";
import { showDone } from "../../ui/notices";
import { SelectInput } from "../../ui/select-input";
import { BatchForm } from "../batches/batch-form";
import { actionOf } from "../batches/kinds";
import { EffectPanel } from "../previews/effect-panel";
import type { Way } from "./ways";

interface GrantDialogProps {
  app: string;
  user: string;
  ways: readonly Way[];
  onClose: () => void;
}

export function GrantDialog({ app, user, ways, onClose }: GrantDialogProps) {
  const client = useClient();
  const navigate = useNavigate();
  const [name, setName] = useState(ways.find((each) => each.blocked === null)?.name);
  const [groups, setGroups] = useState<Partial<Record<string, string>>>({});
  const way = ways.find((each) => each.name === name);
  const action = way && actionOf(way.kind, way.action);
  if (!way || !action) return null;
  const group = groups[way.name] ?? (way.groups?.length === 1 ? way.groups[0] : undefined);
  const key = way.kind === "users" ? user : app;
  const isComplete = !way.groups || group !== undefined;

  const proposals = async (): Promise<Proposal[]> => {
    const document =
      way.kind === "users"
        ? changeOfUser(way, (await client.call("readUser", { path: { user_id: user } })).data, app, group)
        : changeOfApp(way, (await client.call("readApp", { path: { app_name: app } })).data, group);
    return [{ action: "change", key, document }];
  };
  const inputs = (
    <Stack gap="sm">
      <Radio.Group
        label="Method"
        value={way.name}
        onChange={(chosen) => setName(ways.find((each) => each.name === chosen)?.name)}
      >
        <Stack gap="xs" mt={4}>
          {ways.map((each) => (
            <Radio
              key={each.name}
              value={each.name}
              label={each.label}
              description={each.blocked ?? each.description}
              disabled={each.blocked !== null}
              {...(each === way ? { "data-autofocus": true } : {})}
            />
          ))}
        </Stack>
      </Radio.Group>
      {way.groups && (
        <SelectInput
          label="Group"
          placeholder="Choose a group"
          data={way.groups}
          value={group ?? null}
          onChange={(chosen) => setGroups({ ...groups, [way.name]: chosen ?? undefined })}
          allowDeselect={false}
          searchable={way.groups.length > 10}
        />
      )}
    </Stack>
  );
  return (
    <Dialog opened onClose={onClose} title={`Grant ${app} to ${user}`} size="lg" centered>
      <BatchForm
        kind={way.kind}
        action={action}
        names={way.name === "assign" ? [app] : group ? [group] : []}
        targets={isComplete ? { ids: [key] } : null}
        inputs={inputs}
        submit={submitOf(way, group)}
        effect={<EffectPanel kind={way.kind} subject={`${way.name} ${group}`} proposals={proposals} />}
        onClose={onClose}
        onStarted={(batch) => {
          onClose();
          if (batch.refused > 0) void navigate({ to: pathOf("batches", way.kind, batch.id) });
          else showDone(doneOf(way, app, user, group));
        }}
      />
    </Dialog>
  );
}

interface UserLists {
  readonly groups: readonly string[];
  readonly apps: readonly string[];
}

function changeOfUser(way: Way, now: UserLists, app: string, group: string | undefined): Record<string, unknown> {
  if (way.name === "enableUser") return { disabled: false };
  if (way.name === "assign") return { apps: [...new Set([...now.apps, app])] };
  return { groups: [...new Set([...now.groups, group])] };
}

function changeOfApp(
  way: Way,
  now: { readonly accessList: readonly string[] },
  group: string | undefined,
): Record<string, unknown> {
  return way.name === "enableApp" ? { disabled: false } : { accessList: [...new Set([...now.accessList, group])] };
}

function submitOf(way: Way, group: string | undefined): string {
  switch (way.name) {
    case "join":
      return group ? `Add to ${group}` : "Add to group";
    case "share":
      return group ? `Grant to ${group}` : "Grant to group";
    case "assign":
      return "Assign to user";
    case "enableUser":
      return "Enable user";
    case "enableApp":
      return "Enable app";
  }
}

function doneOf(way: Way, app: string, user: string, group: string | undefined): string {
  switch (way.name) {
    case "join":
      return `Added ${user} to ${group}.`;
    case "share":
      return `Granted ${app} to ${group}.`;
    case "assign":
      return `Assigned ${app} to ${user}.`;
    case "enableUser":
      return `Enabled ${user}.`;
    case "enableApp":
      return `Enabled ${app}.`;
  }
}
