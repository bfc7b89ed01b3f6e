/** One feedback report. */

import { Button, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { useClient, useMay } from "../../api/context";
import type { FeedbackView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { DocumentPage } from "../../ui/document/document-page";
import { SaveBar } from "../../ui/document/save-bar";
import { type DocumentSource, useDocument } from "../../ui/document/use-document";
import { useRemoval } from "../../ui/document/use-removal";
import { Facts } from "../../ui/facts";
import { Icon } from "../../ui/icons";
import { showError } from "../../ui/notices";
import { exactTime } from "../../ui/time";
import { Notes } from "../reports/notes";
import { sizeText } from "../reports/reviewed-label";
import { StatusLabel, type TriageDraft, TriageFields } from "../reports/triage";

export function FeedbackPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneFeedback key={id} id={id} />;
}

function OneFeedback({ id }: { id: string }) {
  const client = useClient();
  const mayWrite = useMay("FEEDBACKS", "WRITE");
  const removal = useRemoval(["feedback"], "/feedback");
  const document = useDocument(useFeedbackSource(id));
  const { view: feedback, draft } = document;
  const file = feedback?.attachment;
  return (
    <DocumentPage
      document={document}
      title={feedback ? `Feedback of ${feedback.user}` : "Feedback"}
      back={{ to: "/feedback", label: "Feedback" }}
      about={feedback && `Received ${exactTime(feedback.received)}`}
      actions={
        feedback && (
          <>
            {file && (
              <Button
                variant="default"
                leftSection={<Icon name="download" size={16} />}
                onClick={() =>
                  void client.download("readAttachment", { path: { feedback_id: id } }, file.name).catch(showError)
                }
              >
                {file.name} ({sizeText(file.size)})
              </Button>
            )}
            {mayWrite && (
              <DeleteButton
                what="this feedback"
                consequence="The attachment is deleted too. This cannot be undone."
                onDelete={(reason) => client.call("deleteFeedback", { path: { feedback_id: id }, reason })}
                onDeleted={removal.onDeleted}
              />
            )}
          </>
        )
      }
    >
      {feedback && (
        <>
          <Paper withBorder p="md">
            <Text className="breaks" style={{ whiteSpace: "pre-wrap" }}>
              {feedback.description || "No comment."}
            </Text>
          </Paper>
          <Facts
            facts={[
              ["Status", <StatusLabel key="status" status={feedback.status} />],
              ["Assignee", feedback.assignee ?? "Not assigned"],
              ["Reviewed by", feedback.reviewedBy],
              ["User", feedback.user],
              ["Session", feedback.session ?? "unknown"],
            ]}
          />
          {draft && (
            <Paper withBorder p="md" component="section" aria-label="Triage">
              <Stack gap="sm" maw={720}>
                <TriageFields
                  draft={draft}
                  onChange={(changed) => document.change({ ...draft, ...changed })}
                  mayWrite={mayWrite}
                />
                <Textarea
                  label="Comment"
                  value={draft.comment}
                  onChange={(event) => document.change({ ...draft, comment: event.currentTarget.value })}
                  autosize
                  minRows={3}
                  disabled={!mayWrite}
                />
              </Stack>
            </Paper>
          )}
          <SaveBar document={document} mayWrite={mayWrite} fields={["status", "assignee"]} />
          <Notes
            queryKey={["feedback", id, "notes"]}
            read={async (signal) =>
              (await client.call("listFeedbackNotes", { path: { feedback_id: id }, signal })).data
            }
            add={(text) => client.call("addFeedbackNote", { path: { feedback_id: id }, body: { text } })}
            mayWrite={mayWrite}
          />
        </>
      )}
    </DocumentPage>
  );
}

interface FeedbackDraft extends TriageDraft {
  readonly comment: string;
}

function useFeedbackSource(id: string): DocumentSource<FeedbackView, FeedbackDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["feedback", id],
      read: (signal) => client.call("readFeedback", { path: { feedback_id: id }, ...(signal ? { signal } : {}) }),
      write: ({ status, ...draft }, etag, reason) => {
        // Feedback cannot return: only crashes do.
        const body = status === "returned" ? draft : { ...draft, status };
        return client.call("reviewFeedback", { path: { feedback_id: id }, body, ifMatch: etag, reason });
      },
      draftOf: ({ status, assignee, comment }) => ({ status, assignee, comment }),
    }),
    [client, id],
  );
}
