/** A new configuration file for a scope. */

import { Autocomplete, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import type { ConfigView } from "../../api/generated/client";
import { SaveBar } from "../../ui/document/save-bar";
import { useNewDocument } from "../../ui/document/use-new-document";
import { pathOf } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { NameInput } from "../../ui/suggest-input";
import { Reach } from "../documents/reach";
import { useGroupNames } from "../groups/group-names";
import { useUserNames } from "../users/user-names";
import { ConfigFrame } from "./config-frame";
import { ContentsViews } from "./form/contents-views";
import { useSchemaOf } from "./schemas";
import { type Place, placeBody, SCOPES, type Scope } from "./scope";
import { useValidation } from "./use-validation";
import { ValidationNote } from "./validation-note";

const FILES = ["system.json", "channels.json", "themes.json", "logger.json", "stickywindows.json", "env.json"];

interface NewConfig extends Place {
  readonly file: string;
  readonly contents: ConfigView["contents"];
}

const EMPTY: NewConfig = { file: "system.json", scope: "base", target: "", contents: {} };

export function NewConfigPage() {
  const client = useClient();
  const navigate = useNavigate();
  const [wrongContents, setWrongContents] = useState<string | null>(null);
  const document = useNewDocument({
    queryKey: ["configs"],
    initial: EMPTY,
    create: async (draft, reason) => (await client.call("createConfig", { body: bodyOf(draft), reason })).data,
    onCreated: (config) => void navigate({ to: pathOf("configs", config.id), ignoreBlocker: true }),
  });
  const draft = document.draft ?? EMPTY;
  const schema = useSchemaOf(draft.file);
  const hasPlace = draft.scope === "base" || draft.target !== "";
  const validation = useValidation(draft.file, hasPlace ? draft : null, draft.contents, wrongContents !== null);
  const problem = wrongContents ?? (draft.scope !== "base" && !draft.target ? `Select a ${draft.scope}.` : null);
  return (
    <PageBody>
      <PageHead title="New configuration file" back={{ to: "/configs", label: "System configuration" }} />
      <ConfigFrame>
        <Stack gap="sm">
          <Group align="flex-end">
            <Autocomplete
              label="File"
              data={FILES}
              value={draft.file}
              onChange={(file) => document.change({ ...draft, file })}
              w={220}
            />
            <div>
              <Text size="sm" fw={500} id="scope-label">
                For
              </Text>
              <SegmentedControl
                aria-labelledby="scope-label"
                data={SCOPES.map((scope) => ({ value: scope, label: scope === "base" ? "everyone" : scope }))}
                value={draft.scope}
                onChange={(scope) => document.change({ ...draft, scope: scope as Scope, target: "" })}
              />
            </div>
            <Target place={draft} onChange={(target) => document.change({ ...draft, target })} />
          </Group>
          <ContentsViews
            file={draft.file}
            place={hasPlace ? draft : null}
            contents={draft.contents}
            onChange={(contents) => document.change({ ...draft, contents })}
            onProblem={setWrongContents}
            problems={validation.problems}
            schema={schema}
            readOnly={false}
          />
          {hasPlace && <ValidationNote validation={validation} isSaved={false} />}
          <SaveBar
            changes="config"
            document={document}
            problem={problem}
            mayWrite
            beside={
              <Reach
                kind="configs"
                document={document}
                proposal={(given) => ({ action: "create", document: bodyOf(given) })}
              />
            }
          />
        </Stack>
      </ConfigFrame>
    </PageBody>
  );
}

function bodyOf(draft: NewConfig) {
  return { file: draft.file, contents: draft.contents, ...placeBody(draft) };
}

function Target({ place, onChange }: { place: Place; onChange: (target: string) => void }) {
  const groups = useGroupNames();
  const users = useUserNames();
  if (place.scope === "base") return null;
  if (place.scope === "version") {
    return (
      <TextInput
        label="Version"
        placeholder="10.1"
        value={place.target}
        onChange={(event) => onChange(event.currentTarget.value)}
        w={160}
      />
    );
  }
  const isGroup = place.scope === "group";
  return (
    <NameInput
      label={isGroup ? "Group" : "User"}
      value={place.target}
      onChange={onChange}
      suggestions={isGroup ? groups : users}
      width={240}
    />
  );
}
