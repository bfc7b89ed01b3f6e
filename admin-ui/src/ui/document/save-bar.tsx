/** Save and discard, what stands in the way, and what others did meanwhile; stays in sight. */

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { messageOf } from "../../api/errors";
import { Icon } from "../icons";
import { showDone } from "../notices";
import { Details } from "../states/error-state";
import { ConflictDialog } from "./conflict-dialog";
import type { EditedDocument } from "./use-document";

interface SaveBarProps<View, Draft> {
  document: EditedDocument<View, Draft>;
  /** Why it cannot be saved as it is, for people. */
  problem?: string | null;
  mayWrite: boolean;
  /** Asked before saving; answers whether to go on. */
  beforeSave?: () => Promise<boolean>;
  /** What a change would do, or who has it. */
  beside?: React.ReactNode;
}

export function SaveBar<View, Draft>({ document, problem, mayWrite, beforeSave, beside }: SaveBarProps<View, Draft>) {
  const canSave = mayWrite && document.isDirty && !problem;
  const save = async () => {
    if (beforeSave && !(await beforeSave())) return;
    if (await document.save()) showDone("Saved.");
  };
  useHotkeys([["mod+S", () => canSave && void save()]], []);
  if (!mayWrite)
    return (
      <Group justify="space-between" gap="sm">
        {beside}
        <Text c="dimmed" size="sm">
          You may read this, but not change it.
        </Text>
      </Group>
    );
  return (
    <Stack gap="xs" className="save-bar">
      {document.isOutdated && (
        <Alert color="orange" variant="light" title="Someone else has saved a change to this meanwhile">
          <Button size="xs" variant="default" onClick={document.compare}>
            Compare
          </Button>
        </Alert>
      )}
      {document.saveError !== null && (
        <Alert color="red" variant="light" title="Not saved. What you typed is still here." role="alert">
          <Text size="sm">{messageOf(document.saveError)}</Text>
          <Details error={document.saveError} />
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        {problem && document.isDirty && (
          <Text size="sm" c="var(--mantine-color-error)" role="status">
            {problem}
          </Text>
        )}
        {!(problem && document.isDirty) && beside}
        <Button variant="default" disabled={!document.isDirty} onClick={document.reset}>
          Discard
        </Button>
        <Button
          leftSection={<Icon name="check" size={16} />}
          disabled={!canSave}
          loading={document.isSaving}
          onClick={() => void save()}
          aria-keyshortcuts="Control+S"
        >
          Save
        </Button>
      </Group>
      {document.conflict && (
        <ConflictDialog conflict={document.conflict} onResolve={document.resolve} onClose={document.dismiss} />
      )}
    </Stack>
  );
}
