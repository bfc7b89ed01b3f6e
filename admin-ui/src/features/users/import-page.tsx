/** Imports users from a CSV file: input of the file, preview, and start. The report is on the page of the batch. */

import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import { isProposed, messageOf, Refused } from "../../api/errors";
import type { NewUserImport, UserImportPreview } from "../../api/generated/client";
import { newKey } from "../../api/new-key";
import { ReasonFields, useReason } from "../../ui/document/reason-fields";
import { useUnsaved } from "../../ui/document/unsaved-guard";
import { Icon } from "../../ui/icons";
import { pathOf } from "../../ui/link";
import { showError } from "../../ui/notices";
import { PageBody, PageHead } from "../../ui/page";
import { Details } from "../../ui/states/error-state";
import { QueryState } from "../../ui/states/query-state";
import { counted } from "../batches/kinds";
import { type Choice, EVERYTHING, ImportOptions, ImportRows } from "./import-preview";

const EXAMPLE = "id,displayName,email,groups\nann,Ann Smith,ann@example.com,Desk;Floor";

export function ImportUsersPage() {
  const [text, setText] = useState("");
  const [isPreviewed, setPreviewed] = useState(false);
  const [isDone, setDone] = useState(false);
  useUnsaved(text.trim() !== "" && !isDone);
  return (
    <PageBody>
      <PageHead
        title="Import users"
        back={{ to: "/users", label: "Users" }}
        about="Creates and changes users from a CSV file. Users who are not in the file are not changed."
      />
      {isPreviewed ? (
        <Preview csv={text} onBack={() => setPreviewed(false)} onDone={() => setDone(true)} />
      ) : (
        <Stack gap="sm">
          <Textarea
            label="CSV file"
            description="The first row contains the names of the columns: id, displayName, email, groups, apps, disabled. Only id is required. Separate several groups or apps with semicolons. New users have no password."
            placeholder={EXAMPLE}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={12}
            maxRows={20}
            spellCheck={false}
            classNames={{ input: "mono" }}
          />
          <Group justify="space-between">
            <FileButton
              accept="text/csv,.csv,text/plain,.txt"
              onChange={(file) => file && void file.text().then(setText)}
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<Icon name="upload" size={16} />}>
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Button disabled={text.trim() === ""} onClick={() => setPreviewed(true)}>
              Preview
            </Button>
          </Group>
        </Stack>
      )}
    </PageBody>
  );
}

function Preview({ csv, onBack, onDone }: { csv: string; onBack: () => void; onDone: () => void }) {
  const client = useClient();
  const [choice, setChoice] = useState<Choice>(EVERYTHING);
  const preview = useQuery({
    // The text does not change while the preview is shown.
    queryKey: ["users", "import-preview", choice],
    queryFn: async ({ signal }) =>
      (await client.call("previewUserImport", { body: { csv, ...bodyOf(choice) }, signal })).data,
    gcTime: 0,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <Stack gap="md">
      <QueryState query={preview}>
        {(plan) => (
          <>
            <ImportOptions plan={plan} choice={choice} onChange={setChoice} />
            <ImportRows plan={plan} />
            <Start
              csv={csv}
              choice={choice}
              plan={plan}
              isOld={preview.isPlaceholderData}
              onBack={onBack}
              onDone={onDone}
            />
          </>
        )}
      </QueryState>
      {!preview.data && (
        <Group>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function bodyOf(choice: Choice) {
  return { columns: choice.columns ? [...choice.columns] : null, lists: choice.lists };
}

interface StartProps {
  csv: string;
  choice: Choice;
  plan: UserImportPreview;
  /** Whether the preview of another choice is still shown. */
  isOld: boolean;
  onBack: () => void;
  onDone: () => void;
}

function Start({ csv, choice, plan, isOld, onBack, onDone }: StartProps) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const given = useReason("user");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // A request without a response is repeated unchanged: if it arrived, the response is the batch that it started.
  const [unanswered, setUnanswered] = useState<NewUserImport | null>(null);
  const count = plan.new + plan.changed;
  const start = async () => {
    setBusy(true);
    setError(null);
    const body = unanswered ?? { csv, ...bodyOf(choice), key: newKey(), skipInvalid: true, count };
    try {
      const { data } = await client.call("startUserImport", { body, reason: given.reason });
      for (const old of ["users", "groups", "audit"]) void queries.invalidateQueries({ queryKey: [old] });
      onDone();
      void navigate({ to: pathOf("batches", "users", data.id), ignoreBlocker: true });
    } catch (failure) {
      setBusy(false);
      if (isProposed(failure)) {
        onDone();
        showError(failure);
        void navigate({ to: "/users", ignoreBlocker: true });
        return;
      }
      setError(failure);
      setUnanswered(failure instanceof Refused && failure.status < 500 ? null : body);
    }
  };
  return (
    <Stack gap="sm">
      <ReasonFields given={given} error={error} />
      {error !== null && (
        <Alert color="red" variant="light" role="alert" title={unanswered ? "No confirmation" : "Refused"}>
          <Text size="sm">
            {messageOf(error)}
            {unanswered && " If you try again, no change is applied twice."}
          </Text>
          <Details error={error} />
        </Alert>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button disabled={count === 0 || isOld || given.isMissing} loading={isBusy} onClick={() => void start()}>
          {unanswered ? "Try again" : `Import ${counted("users", count)}`}
        </Button>
      </Group>
    </Stack>
  );
}
