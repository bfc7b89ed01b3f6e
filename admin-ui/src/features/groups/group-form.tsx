/** The priority of a group and the groups it inherits from. */

import { NumberInput, Paper, Stack } from "@mantine/core";
import { fieldErrors } from "../../ui/document/field-errors";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";
import { NamesInput } from "../../ui/names-input";
import { useGroupNames } from "./group-names";

export interface GroupDraft {
  readonly priority: number;
  readonly expandsTo: readonly string[];
}

export const GROUP_FIELDS = ["name", "priority", "expandsTo"];

interface GroupFormProps<View, Draft extends GroupDraft> {
  document: EditedDocument<View, Draft>;
  mayWrite: boolean;
  problem?: string | null;
  /** Shown beside the save button. */
  beside?: React.ReactNode;
  children?: React.ReactNode;
}

export function GroupForm<View, Draft extends GroupDraft>({
  document,
  mayWrite,
  problem,
  beside,
  children,
}: GroupFormProps<View, Draft>) {
  const groups = useGroupNames();
  const { draft, change } = document;
  if (!draft) return null;
  const errors = fieldErrors(document.saveError ?? document.refusal, GROUP_FIELDS, draft);
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="sm" maw={640}>
          {children}
          <NumberInput
            label="Priority"
            description="If several groups of a user set the same value, the group with the highest priority takes precedence."
            value={draft.priority}
            onChange={(value) => change({ ...draft, priority: typeof value === "number" ? value : 0 })}
            allowDecimal={false}
            error={errors.at("priority")}
            disabled={!mayWrite}
          />
          <NamesInput
            label="Inherits from"
            description="Members of this group are also members of these groups."
            value={draft.expandsTo}
            onChange={(expandsTo) => change({ ...draft, expandsTo })}
            error={errors.at("expandsTo")}
            suggestions={groups}
            disabled={!mayWrite}
          />
        </Stack>
      </Paper>
      <SaveBar
        changes="group"
        document={document}
        mayWrite={mayWrite}
        problem={problem ?? null}
        beside={beside}
        fields={GROUP_FIELDS}
      />
    </>
  );
}
