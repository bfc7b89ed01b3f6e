/** The page for a new user. */

import { PasswordInput, Switch, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useClient } from "../../api/context";
import { fieldErrors } from "../../ui/document/field-errors";
import { useNewDocument } from "../../ui/document/use-new-document";
import { pathOf } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { Reach } from "../documents/reach";
import { bodyOf } from "./queries";
import { USER_FIELDS, type UserDraft, UserForm } from "./user-form";

interface NewUserDraft extends UserDraft {
  readonly id: string;
  readonly password: string;
  readonly service: boolean;
}

const EMPTY: NewUserDraft = {
  id: "",
  password: "",
  service: false,
  displayName: "",
  email: "",
  groups: [],
  apps: [],
  layouts: [],
  disabled: false,
};

export function NewUserPage() {
  const client = useClient();
  const navigate = useNavigate();
  const document = useNewDocument({
    queryKey: ["users"],
    initial: EMPTY,
    create: async (draft, reason) => {
      const password = draft.service ? null : draft.password || null;
      const body = { ...bodyOf(draft), id: draft.id, password, service: draft.service };
      return (await client.call("createUser", { body, reason })).data;
    },
    onCreated: (user) => void navigate({ to: pathOf("users", user.id), ignoreBlocker: true }),
  });
  const draft = document.draft ?? EMPTY;
  const errors = fieldErrors(document.saveError ?? document.refusal, USER_FIELDS, draft);
  return (
    <PageBody>
      <PageHead title="New user" back={{ to: "/users", label: "Users" }} />
      <UserForm
        document={document}
        mayWrite
        problem={draft.id ? null : "Enter a user ID."}
        beside={
          <Reach
            kind="users"
            document={document}
            proposal={(given) => ({ action: "create", document: { id: given.id, ...bodyOf(given) } })}
          />
        }
      >
        <TextInput
          label="Id"
          description="The name that the user signs in with. It cannot be changed later."
          value={draft.id}
          onChange={(event) => document.change({ ...draft, id: event.currentTarget.value })}
          error={errors.at("id")}
          required
        />
        <Switch
          label="Service account"
          description="For programs: it has no password, and only API tokens act for it. This cannot be changed later."
          checked={draft.service}
          onChange={(event) => document.change({ ...draft, service: event.currentTarget.checked })}
          error={errors.at("service")}
        />
        <PasswordInput
          disabled={draft.service}
          label="Password"
          description="Optional. The user cannot sign in until a password is set, for example with a link that you create afterwards."
          autoComplete="new-password"
          value={draft.password}
          onChange={(event) => document.change({ ...draft, password: event.currentTarget.value })}
          error={errors.at("password")}
        />
      </UserForm>
    </PageBody>
  );
}
