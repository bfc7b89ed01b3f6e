/** Editor of an app: form and JSON of the same definition, and its access. */

import { SimpleGrid, Stack } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { isObject } from "../../ui/document/changes";
import { fieldErrors } from "../../ui/document/field-errors";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";
import { JsonField } from "../../ui/json-editor/json-field";
import { ACCESS_FIELDS, AccessFields } from "../access/access-fields";
import type { Access } from "../access/access-sentence";
import { type Definition, fieldsOf } from "./definition";
import { DefinitionForm } from "./definition-form";

export interface AppDraft extends Access {
  readonly definition: Definition;
}

interface AppEditorProps<View> {
  document: EditedDocument<View, AppDraft>;
  mayWrite: boolean;
  isNew: boolean;
  /** Shown beside the save button. */
  beside?: ReactNode;
}

export function AppEditor<View>({ document, mayWrite, isNew, beside }: AppEditorProps<View>) {
  const [problem, setProblem] = useState<string | null>(null);
  const { draft, change } = document;
  const definition = draft?.definition;
  const fields = useMemo(() => {
    const shown = definition ? fieldsOf(definition).map((field) => field.path.join(".")) : [];
    return [...ACCESS_FIELDS, "definition", ...["name", "type", ...shown].map((path) => `definition.${path}`)];
  }, [definition]);
  const error = document.saveError ?? document.refusal;
  const errors = fieldErrors(error, fields, draft);
  const problems = useMemo(() => fieldErrors(error, fields).inside("definition"), [error, fields]);
  if (!draft) return null;
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack gap="md">
          <DefinitionForm
            value={draft.definition}
            onChange={(definition) => change({ ...draft, definition })}
            readOnly={!mayWrite || problem !== null}
            isNew={isNew}
            errorAt={(path) => errors.at(`definition.${path}`)}
          />
          <AccessFields
            value={draft}
            onChange={(access) => change({ ...draft, ...access })}
            readOnly={!mayWrite}
            errors={errors}
          />
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
        changes="app"
        document={document}
        problem={problem}
        mayWrite={mayWrite}
        beside={beside}
        fields={fields}
      />
    </>
  );
}
