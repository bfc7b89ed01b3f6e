/** The priority of a group and the groups it expands to. */

import { NumberInput, Paper, Stack } from "@mantine/core";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";
import { NamesInput } from "../../ui/names-input";
import { useGroupNames } from "./group-names";

export interface GroupDraft {
  readonly priority: number;
  readonly expandsTo: readonly string[];
}

interface GroupFormProps<View, Draft extends GroupDraft> {
  document: EditedDocument<View, Draft>;
  mayWrite: boolean;
  problem?: string | null;
  /** Stands beside the save. */
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
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="sm" maw={640}>
          {children}
          <NumberInput
            label="Priority"
            description="Where several groups of a user set the same value, the higher priority wins."
            value={draft.priority}
            onChange={(value) => change({ ...draft, priority: typeof value === "number" ? value : 0 })}
            allowDecimal={false}
            disabled={!mayWrite}
          />
          <NamesInput
            label="Expands to"
            description="Members of this group are members of these too."
            value={draft.expandsTo}
            onChange={(expandsTo) => change({ ...draft, expandsTo })}
            suggestions={groups}
            disabled={!mayWrite}
          />
        </Stack>
      </Paper>
      <SaveBar document={document} mayWrite={mayWrite} problem={problem ?? null} beside={beside} />
    </>
  );
}
