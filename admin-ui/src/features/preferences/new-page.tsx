/** The page for a new preference. */

import { Group } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import { SaveBar } from "../../ui/document/save-bar";
import { useNewDocument } from "../../ui/document/use-new-document";
import { JsonField } from "../../ui/json-editor/json-field";
import { pathOf } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { NameInput } from "../../ui/suggest-input";
import { useAppNames } from "../apps/app-names";
import { useUserNames } from "../users/user-names";

const EMPTY: { user: string; app: string; data: unknown } = { user: "", app: "", data: {} };

export function NewPreferencePage() {
  const client = useClient();
  const navigate = useNavigate();
  const users = useUserNames();
  const apps = useAppNames();
  const [wrongData, setWrongData] = useState<string | null>(null);
  const document = useNewDocument({
    queryKey: ["preferences"],
    initial: EMPTY,
    create: async (draft, reason) => (await client.call("createPreference", { body: draft, reason })).data,
    onCreated: (preference) => void navigate({ to: pathOf("preferences", preference.id), ignoreBlocker: true }),
  });
  const draft = document.draft ?? EMPTY;
  const problem = wrongData ?? (draft.user && draft.app ? null : "Choose a user and an app.");
  return (
    <PageBody>
      <PageHead title="New preference" back={{ to: "/preferences", label: "Preferences" }} />
      <Group>
        <NameInput
          label="User"
          value={draft.user}
          onChange={(user) => document.change({ ...draft, user })}
          suggestions={users}
          width={260}
        />
        <NameInput
          label="App"
          value={draft.app}
          onChange={(app) => document.change({ ...draft, app })}
          suggestions={apps}
          width={260}
        />
      </Group>
      <JsonField
        label="Data"
        value={draft.data}
        onChange={(data) => document.change({ ...draft, data })}
        onProblem={setWrongData}
      />
      <SaveBar changes="preference" document={document} problem={problem} mayWrite />
    </PageBody>
  );
}
