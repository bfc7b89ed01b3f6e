/** The properties of a user and directly assigned documents. */

import { Paper, Stack, Switch, TextInput } from "@mantine/core";
import { fieldErrors } from "../../ui/document/field-errors";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";
import { NamesInput } from "../../ui/names-input";
import { useAppNames } from "../apps/app-names";
import { useGroupNames } from "../groups/group-names";

export interface UserDraft {
  readonly displayName: string;
  readonly email: string;
  readonly groups: readonly string[];
  readonly apps: readonly string[];
  readonly layouts: readonly string[];
  readonly disabled: boolean;
}

export const USER_FIELDS = ["id", "password", "service", "displayName", "email", "groups", "apps", "disabled"];

interface UserFormProps<View, Draft extends UserDraft> {
  document: EditedDocument<View, Draft>;
  mayWrite: boolean;
  problem?: string | null;
  /** Whether this is the account of the signed-in user. */
  isOwn?: boolean;
  /** Shown beside the save button. */
  beside?: React.ReactNode;
  children?: React.ReactNode;
}

export function UserForm<View, Draft extends UserDraft>({
  document,
  mayWrite,
  problem,
  isOwn = false,
  beside,
  children,
}: UserFormProps<View, Draft>) {
  const groups = useGroupNames();
  const apps = useAppNames();
  const { draft, change } = document;
  if (!draft) return null;
  const errors = fieldErrors(document.saveError ?? document.refusal, USER_FIELDS, draft);
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="sm" maw={640}>
          {children}
          <TextInput
            label="Display name"
            description="Optional. Shown next to the ID."
            value={draft.displayName}
            maxLength={200}
            onChange={(event) => change({ ...draft, displayName: event.currentTarget.value })}
            error={errors.at("displayName")}
            disabled={!mayWrite}
          />
          <TextInput
            label="E-mail"
            value={draft.email}
            onChange={(event) => change({ ...draft, email: event.currentTarget.value })}
            error={errors.at("email")}
            disabled={!mayWrite}
          />
          <NamesInput
            label="Groups"
            description="Members inherit the group's apps and settings."
            value={draft.groups}
            onChange={(names) => change({ ...draft, groups: names })}
            error={errors.at("groups")}
            suggestions={groups}
            disabled={!mayWrite}
          />
          <NamesInput
            label="Assigned apps"
            description="Assigned to this user directly, in addition to the apps of the groups."
            value={draft.apps}
            onChange={(names) => change({ ...draft, apps: names })}
            error={errors.at("apps")}
            suggestions={apps}
            disabled={!mayWrite}
          />
          <Switch
            label="Disabled: cannot sign in"
            checked={draft.disabled}
            onChange={(event) => change({ ...draft, disabled: event.currentTarget.checked })}
            disabled={!mayWrite || isOwn}
            error={errors.at("disabled")}
            {...(isOwn ? { description: "You cannot disable your own account. Ask another administrator." } : {})}
          />
        </Stack>
      </Paper>
      <SaveBar
        changes="user"
        document={document}
        mayWrite={mayWrite}
        problem={problem ?? null}
        beside={beside}
        fields={USER_FIELDS}
      />
    </>
  );
}
