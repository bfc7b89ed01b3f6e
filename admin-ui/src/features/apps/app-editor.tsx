/** An app under edit: form and JSON side by side, both of the same definition, and who gets it. */

import { SimpleGrid, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { isObject } from "../../ui/document/changes";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";
import { JsonField } from "../../ui/json-editor/json-field";
import { AccessFields } from "../access/access-fields";
import type { Access } from "../access/access-sentence";
import type { Definition } from "./definition";
import { DefinitionForm } from "./definition-form";

export interface AppDraft extends Access {
  readonly definition: Definition;
}

interface AppEditorProps<View> {
  document: EditedDocument<View, AppDraft>;
  mayWrite: boolean;
  isNew: boolean;
  /** Stands beside the save. */
  beside?: ReactNode;
}

export function AppEditor<View>({ document, mayWrite, isNew, beside }: AppEditorProps<View>) {
  const [problem, setProblem] = useState<string | null>(null);
  const { draft, change } = document;
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
          />
          <AccessFields value={draft} onChange={(access) => change({ ...draft, ...access })} readOnly={!mayWrite} />
        </Stack>
        <JsonField
          label="Definition as JSON"
          value={draft.definition}
          accepts={isObject}
          expected="an object"
          onChange={(definition) => change({ ...draft, definition })}
          onProblem={setProblem}
          readOnly={!mayWrite}
        />
      </SimpleGrid>
      <SaveBar document={document} problem={problem} mayWrite={mayWrite} beside={beside} />
    </>
  );
}
