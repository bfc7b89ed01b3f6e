/** Shows the effect of a change of many documents, and starts it. A repeated start applies nothing twice. */

import { Alert, Button, Checkbox, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useChangeRules } from "../../api/change-rules";
import { useClient } from "../../api/context";
import { isProposed, messageOf, Refused } from "../../api/errors";
import type { BatchFilter, BatchPreviewView, BatchView, NewBatch } from "../../api/generated/client";
import { newKey } from "../../api/new-key";
import { showError } from "../../ui/notices";
import { Details, ErrorState } from "../../ui/states/error-state";
import { LoadingState } from "../../ui/states/loading-state";
import { BATCHES, type BatchKind, type BulkAction, counted, counting, WITHOUT_NAMES } from "./kinds";

export type BatchTargets = { readonly ids: string[] } | { readonly filter: BatchFilter };

interface BatchFormProps {
  kind: BatchKind;
  action: BulkAction;
  /** The groups or apps that the action needs. */
  names: readonly string[];
  /** Whether the option of the action is initially set. */
  givenOption?: boolean;
  /** Null until documents are selected. */
  targets: BatchTargets | null;
  /** Selects missing arguments; hidden while the result of a request is unknown. */
  inputs?: ReactNode;
  /** The effect on users, if it is shown. The documents are then listed only if some of them do not change. */
  effect?: ReactNode;
  /** Label of the button that starts the change. */
  submit?: string;
  onClose: () => void;
  onStarted: (batch: BatchView) => void;
}

export function BatchForm({
  kind,
  action,
  names,
  givenOption = false,
  targets,
  inputs,
  effect,
  submit,
  ...on
}: BatchFormProps) {
  const client = useClient();
  const queries = useQueryClient();
  // A request without a response is repeated unchanged: if it arrived, the response is the batch that it started.
  const [unanswered, setUnanswered] = useState<NewBatch | null>(null);
  const [comment, setComment] = useState("");
  const [ticket, setTicket] = useState("");
  const isRequired = useChangeRules().commentRequired.includes(kind.replace(/s$/, ""));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isOptionSet, setOption] = useState(givenOption);
  const request = {
    action: action.action,
    arguments: {
      ...(action.argument ? { [action.argument]: [...names] } : {}),
      ...(action.option && isOptionSet ? { [action.option.name]: true } : {}),
    },
    ...targets,
  };
  const isComplete = targets !== null && (!action.argument || names.length > 0);
  const preview = useQuery({
    queryKey: [kind, "batch-preview", request],
    queryFn: async ({ signal }) => (await client.call(BATCHES[kind].preview, { body: request, signal })).data,
    // After an unanswered request, a new preview may already show its result.
    enabled: isComplete && unanswered === null,
    gcTime: 0,
  });
  const plan = isComplete ? preview.data : undefined;
  const isPlain = plan !== undefined && plan.done === plan.total && plan.transactions === 1;

  const start = async (previewed: BatchPreviewView) => {
    setBusy(true);
    setError(null);
    const count = "filter" in request ? { count: previewed.total } : {};
    const body = unanswered ?? { ...request, ...count, key: newKey(), comment, ticket };
    try {
      const { data } = await client.call(BATCHES[kind].start, { body });
      for (const old of [kind, "users", "groups", "crashes", "audit"])
        void queries.invalidateQueries({ queryKey: [old] });
      on.onStarted(data);
    } catch (failure) {
      if (isProposed(failure)) {
        showError(failure);
        on.onClose();
        return;
      }
      setError(failure);
      setBusy(false);
      const isRefused = failure instanceof Refused && failure.status < 500;
      setUnanswered(isRefused ? null : body);
      if (isRefused) void preview.refetch();
    }
  };

  const label = submit ?? (plan && plan.done > 0 ? counting(kind, action, plan.done) : action.label);
  return (
    <Stack gap="sm">
      {unanswered === null && inputs}
      {unanswered === null && action.option && (
        <Checkbox
          label={action.option.label}
          checked={isOptionSet}
          onChange={(event) => setOption(event.currentTarget.checked)}
        />
      )}
      {isComplete && preview.isLoading && <LoadingState />}
      {isComplete && preview.error && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {plan && !(effect && isPlain) && <Plan kind={kind} plan={plan} />}
      {plan && plan.done > 0 && unanswered === null && effect}
      <Group grow align="flex-start">
        <TextInput
          label="Comment"
          description={isRequired ? "Stored in the audit log." : "Optional. Stored in the audit log."}
          required={isRequired}
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
            {unanswered && " If you try again, no change is applied twice."}
          </Text>
          <Details error={error} />
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={on.onClose} {...(inputs ? {} : { "data-autofocus": true })}>
          Cancel
        </Button>
        <Button
          {...(action.isDangerous ? { color: "red" } : {})}
          disabled={!plan || plan.done === 0 || (isRequired && comment.trim() === "")}
          loading={isBusy}
          onClick={() => plan && void start(plan)}
        >
          {unanswered ? "Try again" : label}
        </Button>
      </Group>
    </Stack>
  );
}

/** The number of documents for each result. */
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
        {changing.length > 0 && !WITHOUT_NAMES.has(kind) && (
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
