/** Imports definitions in four steps: paste, access, review, result. */

import {
  Alert,
  Button,
  FileButton,
  Group,
  List,
  Paper,
  ScrollArea,
  Stack,
  Stepper,
  Switch,
  Table,
  Text,
  Textarea,
} from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import type { Reason } from "../../api/client";
import { isProposed } from "../../api/errors";
import type { ImportView } from "../../api/generated/client";
import { RefusalContext } from "../../ui/document/field-errors";
import { type ChangedKind, ReasonFields, useReason } from "../../ui/document/reason-fields";
import { useUnsaved } from "../../ui/document/unsaved-guard";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { showError } from "../../ui/notices";
import { AccessFields } from "../access/access-fields";
import type { Access } from "../access/access-sentence";
import { type Definitions, nameOf, readDefinitions } from "./read-definitions";
import { RowProblems } from "./row-problems";

export interface ImportRequest {
  readonly definitions: Definitions;
  readonly access: Access;
  readonly overwrite: boolean;
}

interface ImportWizardProps {
  /** The imported kind, such as `applications`; also the member that may contain the list. */
  things: string;
  kind: ChangedKind;
  onImport: (request: ImportRequest, reason: Reason) => Promise<ImportView>;
  listPath: string;
  /** Shows the effect of the import before it starts. */
  effect: (request: ImportRequest) => ReactNode;
}

const PLAIN: Access = { public: false, accessList: [], disabled: false };

const NONE: Definitions = [];

export function ImportWizard({ things, kind, onImport, listPath, effect }: ImportWizardProps) {
  const [step, setStep] = useState(0);
  const [text, setText] = useState("");
  const [access, setAccess] = useState(PLAIN);
  const [overwrite, setOverwrite] = useState(false);
  const [result, setResult] = useState<ImportView | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const given = useReason(kind);
  const read = useMemo(() => readDefinitions(text, things), [text, things]);
  const definitions = "definitions" in read ? read.definitions : NONE;

  // The problems of all rows are listed, not only mentioned beside the effect.
  const refusals = useMemo(() => ({ report: setRefusal, words: () => null }), []);
  const request = { definitions, access, overwrite };
  useUnsaved(text.trim() !== "" && result === null);

  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      setResult(await onImport(request, given.reason));
      setStep(3);
    } catch (failure) {
      if (isProposed(failure)) {
        setText("");
        setStep(0);
        showError(failure);
      } else setError(failure);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Stack>
      <Stepper active={step} size="sm" allowNextStepsSelect={false} onStepClick={result ? () => undefined : setStep}>
        <Stepper.Step label="Paste">
          <Stack gap="sm" mt="sm">
            <Textarea
              label={`Definitions of ${things} as JSON`}
              description={`A list, a single definition, or {"${things}": [...]}.`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autosize
              minRows={12}
              maxRows={24}
              spellCheck={false}
              classNames={{ input: "mono" }}
              error={text !== "" && "problem" in read ? read.problem : null}
            />
            <Group justify="space-between">
              <FileButton accept="application/json,.json" onChange={(file) => file && void file.text().then(setText)}>
                {(props) => (
                  <Button {...props} variant="default" leftSection={<Icon name="upload" size={16} />}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
              <Button disabled={definitions.length === 0} onClick={() => setStep(1)}>
                Next
              </Button>
            </Group>
          </Stack>
        </Stepper.Step>
        <Stepper.Step label="Access">
          <Stack gap="sm" mt="sm">
            <AccessFields value={access} onChange={setAccess} readOnly={false} withDisabled={false} />
            <Steps onBack={() => setStep(0)} onNext={() => setStep(2)} />
          </Stack>
        </Stepper.Step>
        <Stepper.Step label="Review">
          <Stack gap="sm" mt="sm">
            <Review definitions={definitions} />
            <Switch
              label="Replace existing definitions"
              checked={overwrite}
              onChange={(event) => setOverwrite(event.currentTarget.checked)}
            />
            <RefusalContext value={refusals}>{effect(request)}</RefusalContext>
            {(error ?? refusal) !== null && <RowProblems error={error ?? refusal} definitions={definitions} />}
            <ReasonFields given={given} error={error} />
            <Steps
              onBack={() => setStep(1)}
              onNext={() => void run()}
              next={`Import ${definitions.length}`}
              isBusy={isBusy}
              isBlocked={refusal !== null || given.isMissing}
            />
          </Stack>
        </Stepper.Step>
        <Stepper.Step label="Result">
          {result && <Result result={result} things={things} listPath={listPath} />}
        </Stepper.Step>
      </Stepper>
    </Stack>
  );
}

function Steps({
  onBack,
  onNext,
  next = "Next",
  isBusy = false,
  isBlocked = false,
}: {
  onBack: () => void;
  onNext: () => void;
  next?: string;
  isBusy?: boolean;
  isBlocked?: boolean;
}) {
  return (
    <Group justify="space-between">
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
      <Button onClick={onNext} loading={isBusy} disabled={isBlocked}>
        {next}
      </Button>
    </Group>
  );
}

function Review({ definitions }: { definitions: Definitions }) {
  return (
    <Paper withBorder>
      <ScrollArea.Autosize mah={360} type="auto">
        <Table verticalSpacing={6} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Title</Table.Th>
              <Table.Th>Type</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {definitions.slice(0, 200).map((definition, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice or not at all
              <tr key={index}>
                <td className="breaks">{nameOf(definition) || <em>no name</em>}</td>
                <td className="breaks">{String(definition.title ?? "")}</td>
                <td>{String(definition.type ?? "")}</td>
              </tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {definitions.length > 200 && (
        <Text size="sm" c="dimmed" p="xs">
          and {definitions.length - 200} more
        </Text>
      )}
    </Paper>
  );
}

function Result({ result, things, listPath }: { result: ImportView; things: string; listPath: string }) {
  return (
    <Stack mt="sm" align="flex-start">
      <Alert color="green" variant="light" title="Imported" role="status">
        <List size="sm">
          <List.Item>{counted(result.created.length, "new", things)}</List.Item>
          <List.Item>{counted(result.replaced.length, "replaced", things)}</List.Item>
        </List>
      </Alert>
      <Button component={RouterLink} to={listPath}>
        Show the list
      </Button>
    </Stack>
  );
}

function counted(count: number, what: string, things: string): string {
  return `${count.toLocaleString()} ${what} ${count === 1 ? things.replace(/s$/, "") : things}`;
}
