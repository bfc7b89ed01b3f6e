/** Editor of a layout: preview, JSON, owner and access. */

import { SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { isObject } from "../../ui/document/changes";
import { fieldErrors } from "../../ui/document/field-errors";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";
import { JsonField } from "../../ui/json-editor/json-field";
import { ACCESS_FIELDS, AccessFields } from "../access/access-fields";
import type { Access } from "../access/access-sentence";
import { LayoutPreview } from "./preview";

export interface LayoutDraft extends Access {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly owner: string;
  readonly default: boolean;
}

const FIELDS = [...ACCESS_FIELDS, "definition", "owner", "default"];

interface LayoutEditorProps<View> {
  document: EditedDocument<View, LayoutDraft>;
  mayWrite: boolean;
  /** Shown beside the save button. */
  beside?: ReactNode;
}

export function LayoutEditor<View>({ document, mayWrite, beside }: LayoutEditorProps<View>) {
  const [problem, setProblem] = useState<string | null>(null);
  const { draft, change } = document;
  const error = document.saveError ?? document.refusal;
  const errors = fieldErrors(error, FIELDS, draft);
  const problems = useMemo(() => fieldErrors(error, FIELDS).inside("definition"), [error]);
  if (!draft) return null;
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack gap="md">
          <LayoutPreview definition={draft.definition} name={String(draft.definition.name ?? "")} />
          <AccessFields
            value={draft}
            onChange={(access) => change({ ...draft, ...access })}
            readOnly={!mayWrite}
            errors={errors}
          >
            <TextInput
              label="Owner"
              description="A user, or * for a common layout."
              value={draft.owner}
              onChange={(event) => change({ ...draft, owner: event.currentTarget.value })}
              error={errors.at("owner")}
              disabled={!mayWrite}
            />
            <Switch
              label="Default: opened for users who have not selected a default layout"
              checked={draft.default}
              onChange={(event) => change({ ...draft, default: event.currentTarget.checked })}
              disabled={!mayWrite}
            />
          </AccessFields>
        </Stack>
        <JsonField
          label="Definition as JSON"
          value={draft.definition}
          accepts={isObject}
          expected="an object"
          onChange={(definition) => change({ ...draft, definition })}
          onProblem={setProblem}
          readOnly={!mayWrite}
          problems={problems}
        />
      </SimpleGrid>
      <SaveBar
        changes="layout"
        document={document}
        problem={problem}
        mayWrite={mayWrite}
        beside={beside}
        fields={FIELDS}
      />
    </>
  );
}
