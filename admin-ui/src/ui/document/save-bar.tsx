/** Save and discard buttons, problems that prevent saving, and changes by others; always visible. */

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useEffect, useMemo, useRef } from "react";
import { NO_REASON } from "../../api/client";
import { messageOf } from "../../api/errors";
import { Icon } from "../icons";
import { showDone } from "../notices";
import { ConflictDialog } from "./conflict-dialog";
import { fieldErrors, RefusalContext } from "./field-errors";
import { type ChangedKind, ReasonFields, useReason } from "./reason-fields";
import type { EditedDocument } from "./use-document";

interface SaveBarProps<View, Draft> {
  document: EditedDocument<View, Draft>;
  /** Why it cannot be saved, for users. */
  problem?: string | null;
  mayWrite: boolean;
  /** Called before saving; returns whether to continue. */
  beforeSave?: () => Promise<boolean>;
  /** The effect of a change, or its receipts. */
  beside?: React.ReactNode;
  /** The members of the document that have a field, which shows their problems. */
  fields?: readonly string[];
  /** The kind of the changed documents; changes of some kinds require a comment. */
  changes?: ChangedKind;
}

const NO_FIELDS: readonly string[] = [];

export function SaveBar<View, Draft>({
  document,
  problem,
  mayWrite,
  beforeSave,
  beside,
  fields: documentFields = NO_FIELDS,
  changes,
}: SaveBarProps<View, Draft>) {
  const bar = useRef<HTMLDivElement>(null);
  const { saveError, refuse } = document;
  const given = useReason(changes);
  const fields = useMemo(
    () => (changes ? [...documentFields, "comment", "ticket"] : documentFields),
    [changes, documentFields],
  );
  useFocusOnFirst(saveError, bar);
  const hasFailed = saveError !== null;
  const refusals = useMemo(
    () => ({ report: refuse, words: (error: unknown) => (hasFailed ? null : refusalWords(error, fields)) }),
    [refuse, hasFailed, fields],
  );
  const canSave = mayWrite && document.isDirty && !problem && !given.isMissing;
  const save = async () => {
    if (beforeSave && !(await beforeSave())) return;
    if (!(await document.save(given.reason))) return;
    given.set(NO_REASON);
    showDone("Saved.");
  };
  useHotkeys([["mod+S", () => canSave && void save()]], []);
  if (!mayWrite)
    return (
      <Group justify="space-between" gap="sm">
        {beside}
        <Text c="dimmed" size="sm">
          You have read-only access.
        </Text>
      </Group>
    );
  return (
    <Stack gap="xs" className="save-bar" ref={bar}>
      {document.isOutdated && (
        <Alert color="orange" variant="light" title="Another user has saved a change to this document">
          <Button size="xs" variant="default" onClick={document.compare}>
            Compare
          </Button>
        </Alert>
      )}
      {document.saveError !== null && (
        <Alert color="red" variant="light" title="Not saved. Your changes are still on this page." role="alert">
          <Failure error={document.saveError} fields={fields} />
        </Alert>
      )}
      {changes && document.isDirty && <ReasonFields given={given} error={document.saveError} />}
      <Group justify="flex-end" gap="sm">
        {problem && document.isDirty && (
          <Text size="sm" c="var(--mantine-color-error)" role="status">
            {problem}
          </Text>
        )}
        {!(problem && document.isDirty) && <RefusalContext value={refusals}>{beside}</RefusalContext>}
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

/** The problems without a field, and the number of the others. */
function Failure({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const { rest, count } = fieldErrors(error, fields);
  if (count === 0 && rest.length === 0) return <Text size="sm">{messageOf(error)}</Text>;
  return (
    <>
      {count > 0 && <Text size="sm">{count === 1 ? "Correct the marked field." : "Correct the marked fields."}</Text>}
      {rest.length > 0 && <Text size="sm">{messageOf(error)}</Text>}
      {rest.map(({ path, message }) => (
        <Text key={`${path} ${message}`} size="sm" className="breaks">
          {path ? `${path}: ${message}` : message}
        </Text>
      ))}
    </>
  );
}

function refusalWords(error: unknown, fields: readonly string[]): string {
  const { rest, count } = fieldErrors(error, fields);
  if (count > 0 && rest.length === 0) return "Cannot save: correct the marked fields.";
  const first = rest[0];
  return `Cannot save: ${first ? [first.path, first.message].filter(Boolean).join(": ") : messageOf(error)}`;
}

/** After a rejected save, the first field with a problem gets the focus. */
function useFocusOnFirst(saveError: unknown, bar: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (saveError === null) return;
    const page = bar.current?.closest("main") ?? window.document;
    const focus = () => page.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // The editor marks itself as invalid after this effect.
    const frame = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(frame);
  }, [saveError, bar]);
}
