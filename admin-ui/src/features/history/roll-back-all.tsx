/** Rolls back all documents of a kind: shows the changes first, and offers to undo it. */

import { Alert, Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Reason } from "../../api/client";
import { useClient, useMay } from "../../api/context";
import { isProposed, messageOf } from "../../api/errors";
import type { RolledBackView } from "../../api/generated/client";
import { Dialog } from "../../ui/dialog";
import { ReasonFields, useReason } from "../../ui/document/reason-fields";
import { Icon } from "../../ui/icons";
import { showError, showUndo } from "../../ui/notices";
import { DocumentChange } from "../audit/document-change";
import { KINDS, type Kind } from "../documents/kinds";

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function RollBackAll({ kind }: { kind: Kind }) {
  const [isOpen, dialog] = useDisclosure(false);
  if (!useMay(KINDS[kind].right, "WRITE")) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="history" size={16} />} onClick={dialog.open}>
        Roll back
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={`Roll back: ${KINDS[kind].label}`} size="xl">
        <Choice kind={kind} onDone={dialog.close} />
      </Dialog>
    </>
  );
}

function Choice({ kind, onDone }: { kind: Kind; onDone: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const reason = useReason(KINDS[kind].document);
  const [by, setBy] = useState<"time" | "revision">("time");
  const [given, setGiven] = useState("");
  const [rehearsed, setRehearsed] = useState<RolledBackView | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const point = pointOf(by, given);

  const forget = () => {
    setRehearsed(null);
    setError(null);
  };
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    await work().catch((failure) => {
      if (isProposed(failure)) {
        onDone();
        showError(failure);
      } else setError(failure);
    });
    setBusy(false);
  };
  const run = (revision: number | string, newest?: number, why?: Reason) =>
    client.call(KINDS[kind].rollBackAll, {
      body: { revision, dryRun: !why },
      ...(why ? { reason: why } : {}),
      ...(newest === undefined ? {} : { ifMatch: `"${newest}"` }),
    });
  const rehearse = () =>
    attempt(async () => {
      if (point !== null) setRehearsed((await run(point)).data);
    });
  const rollBack = (plan: RolledBackView) =>
    attempt(async () => {
      const { data } = await run(plan.to, plan.newest, reason.reason);
      await queries.invalidateQueries({ queryKey: [kind] });
      onDone();
      const undo = async () => {
        await run(plan.newest, data.revision ?? undefined, reason.undo);
        await queries.invalidateQueries({ queryKey: [kind] });
      };
      showUndo(`Rolled back ${documents(data.changed)} to revision ${plan.to}.`, undo);
    });

  return (
    <Stack>
      <Text size="sm">
        All documents are restored to the selected state in one new revision. Later revisions stay in the history.
      </Text>
      <Radio.Group
        label="Restore the state of"
        value={by}
        onChange={(value) => {
          setBy(value === "revision" ? "revision" : "time");
          setGiven("");
          forget();
        }}
      >
        <Group mt={4}>
          <Radio value="time" label="a time" />
          <Radio value="revision" label="a revision" />
        </Group>
      </Radio.Group>
      <Group align="flex-end">
        <TextInput
          label={by === "time" ? "Time" : "Revision"}
          {...(by === "time" ? { description: `Time zone of this computer: ${ZONE}` } : {})}
          type={by === "time" ? "datetime-local" : "number"}
          value={given}
          onChange={(event) => {
            setGiven(event.currentTarget.value);
            forget();
          }}
          w={260}
        />
        <Button variant="default" disabled={point === null} loading={isBusy} onClick={() => void rehearse()}>
          Preview changes
        </Button>
      </Group>
      {error !== null && (
        <Alert color="red" variant="light" role="alert">
          {messageOf(error)}
        </Alert>
      )}
      {rehearsed && (
        <>
          <Alert color={rehearsed.changed ? "orange" : "green"} variant="light" role="status">
            {rehearsed.changed ? `${documents(rehearsed.changed)} would change.` : "Nothing would change."}
          </Alert>
          {rehearsed.changes.map((change) => (
            <DocumentChange key={`${change.kind} ${change.id}`} change={change} />
          ))}
          {rehearsed.changed > rehearsed.changes.length && (
            <Text size="sm">and {documents(rehearsed.changed - rehearsed.changes.length)} more</Text>
          )}
          {rehearsed.changed > 0 && <ReasonFields given={reason} error={error} />}
          {rehearsed.changed > 0 && (
            <Group justify="flex-end">
              <Button variant="default" onClick={onDone}>
                Cancel
              </Button>
              <Button color="red" loading={isBusy} disabled={reason.isMissing} onClick={() => void rollBack(rehearsed)}>
                Roll back {documents(rehearsed.changed)}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}

function pointOf(by: "time" | "revision", given: string): number | string | null {
  if (by === "revision") return /^\d{1,15}$/.test(given) ? Number(given) : null;
  const time = new Date(given);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function documents(count: number): string {
  return count === 1 ? "1 document" : `${count.toLocaleString()} documents`;
}
