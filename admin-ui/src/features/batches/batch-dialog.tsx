/** Asks for what an action needs, shows its effect, and starts it. A repeated start applies nothing twice. */

import { Alert, Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import { messageOf, Refused } from "../../api/errors";
import type { BatchFilter, BatchPreviewView, NewBatch } from "../../api/generated/client";
import { pathOf } from "../../ui/link";
import { NamesInput } from "../../ui/names-input";
import { Details, ErrorState } from "../../ui/states/error-state";
import { LoadingState } from "../../ui/states/loading-state";
import { useAppNames } from "../apps/app-names";
import { useGroupNames } from "../groups/group-names";
import { BATCHES, type BatchKind, type BulkAction, counted, counting, titleOf } from "./kinds";

export type BatchTargets = { readonly ids: string[] } | { readonly filter: BatchFilter };

interface BatchDialogProps {
  kind: BatchKind;
  action: BulkAction;
  targets: BatchTargets;
  /** Groups or apps that are chosen at first. */
  given?: readonly string[];
  onClose: () => void;
  onStarted: () => void;
}

export function BatchDialog({ kind, action, targets, given = [], onClose, onStarted }: BatchDialogProps) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  // A request without a response is repeated unchanged: if it arrived, the response is the batch that it started.
  const [unanswered, setUnanswered] = useState<NewBatch | null>(null);
  const [names, setNames] = useState<readonly string[]>(given);
  const [comment, setComment] = useState("");
  const [ticket, setTicket] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const request = {
    action: action.action,
    arguments: action.argument ? { [action.argument]: [...names] } : {},
    ...targets,
  };
  const isComplete = !action.argument || names.length > 0;
  const preview = useQuery({
    queryKey: [kind, "batch-preview", request],
    queryFn: async ({ signal }) => (await client.call(BATCHES[kind].preview, { body: request, signal })).data,
    // After an unanswered request, a new preview may already show its result.
    enabled: isComplete && unanswered === null,
    gcTime: 0,
  });
  const plan = isComplete ? preview.data : undefined;

  const start = async (previewed: BatchPreviewView) => {
    setBusy(true);
    setError(null);
    const count = "filter" in targets ? { count: previewed.total } : {};
    const body = unanswered ?? { ...request, ...count, key: newKey(), comment, ticket };
    try {
      const { data } = await client.call(BATCHES[kind].start, { body });
      for (const old of [kind, "users", "groups", "audit"]) void queries.invalidateQueries({ queryKey: [old] });
      onStarted();
      void navigate({ to: pathOf("batches", kind, data.id) });
    } catch (failure) {
      setError(failure);
      setBusy(false);
      const isRefused = failure instanceof Refused && failure.status < 500;
      setUnanswered(isRefused ? null : body);
      if (isRefused) void preview.refetch();
    }
  };

  return (
    <Modal opened onClose={onClose} title={titleOf(kind, action)} size="lg" centered>
      <Stack gap="sm">
        {action.argument && unanswered === null && <Argument action={action} value={names} onChange={setNames} />}
        {isComplete && preview.isLoading && <LoadingState />}
        {isComplete && preview.error && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
        {plan && <Plan kind={kind} plan={plan} />}
        <Group grow align="flex-start">
          <TextInput
            label="Comment"
            description="Optional. Stored in the audit log."
            maxLength={256}
            disabled={unanswered !== null}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          <TextInput
            label="Ticket"
            description="Optional. Stored in the audit log."
            maxLength={64}
            disabled={unanswered !== null}
            value={ticket}
            onChange={(event) => setTicket(event.currentTarget.value)}
          />
        </Group>
        {error !== null && (
          <Alert color="red" variant="light" role="alert" title={unanswered ? "No confirmation" : "Refused"}>
            <Text size="sm">
              {messageOf(error)}
              {unanswered && " Trying again applies no change twice."}
            </Text>
            <Details error={error} />
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} {...(action.argument ? {} : { "data-autofocus": true })}>
            Cancel
          </Button>
          <Button
            {...(action.isDangerous ? { color: "red" } : {})}
            disabled={!plan || plan.done === 0}
            loading={isBusy}
            onClick={() => plan && void start(plan)}
          >
            {unanswered ? "Try again" : plan && plan.done > 0 ? counting(kind, action, plan.done) : action.label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ArgumentProps {
  action: BulkAction;
  value: readonly string[];
  onChange: (names: readonly string[]) => void;
}

function Argument({ action, value, onChange }: ArgumentProps) {
  const groups = useGroupNames();
  const apps = useAppNames();
  const isApps = action.argument === "apps";
  return (
    <NamesInput
      label={isApps ? "Apps" : "Groups"}
      description="Type part of the name, and select it."
      value={value}
      onChange={onChange}
      suggestions={isApps ? apps : groups}
    />
  );
}

/** What would happen to how many documents. */
function Plan({ kind, plan }: { kind: BatchKind; plan: BatchPreviewView }) {
  const changing = plan.items.filter((item) => item.result === "done").map((item) => item.id);
  return (
    <Alert color={plan.done > 0 ? "blue" : "orange"} variant="light" role="status" title="Preview">
      <Stack gap={4}>
        <Text size="sm">
          {plan.done === 0 ? `No ${BATCHES[kind].one} would change.` : `${counted(kind, plan.done)} would change.`}
          {plan.unchanged > 0 &&
            ` ${counted(kind, plan.unchanged)} ${plan.unchanged === 1 ? "is" : "are"} already in this state.`}
          {plan.refused > 0 && ` ${counted(kind, plan.refused)} would be refused.`}
        </Text>
        {changing.length > 0 && kind !== "layouts" && kind !== "preferences" && (
          <Text size="sm" c="dimmed" lineClamp={2} className="breaks">
            {changing.slice(0, 20).join(", ")}
            {plan.done > Math.min(changing.length, 20) ? " …" : ""}
          </Text>
        )}
        {plan.refusals.length > 0 && (
          <List size="sm" aria-label="Refusals">
            {plan.refusals.slice(0, 5).map((refusal) => (
              <List.Item key={refusal.message}>
                {refusal.count.toLocaleString("en")} × {refusal.message}
              </List.Item>
            ))}
          </List>
        )}
        {plan.transactions > 1 && (
          <Text size="sm">
            The change is made in {plan.transactions.toLocaleString("en")} steps. You can follow and cancel it.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

/** Not randomUUID: browsers offer it only to pages with HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
