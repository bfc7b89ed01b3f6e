/** One feedback report. */

import { Button, Paper, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { useClient, useMay } from "../../api/context";
import type { FeedbackView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { DocumentPage } from "../../ui/document/document-page";
import { type DocumentSource, useDocument } from "../../ui/document/use-document";
import { useRemoval } from "../../ui/document/use-removal";
import { Facts } from "../../ui/facts";
import { Icon } from "../../ui/icons";
import { showError } from "../../ui/notices";
import { exactTime } from "../../ui/time";
import { type ReviewDraft, ReviewForm } from "../reports/review-form";
import { ReviewedLabel, sizeText } from "../reports/reviewed-label";

export function FeedbackPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneFeedback key={id} id={id} />;
}

function OneFeedback({ id }: { id: string }) {
  const client = useClient();
  const mayWrite = useMay("FEEDBACKS", "WRITE");
  const removal = useRemoval(["feedback"], "/feedback");
  const document = useDocument(useFeedbackSource(id));
  const feedback = document.view;
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
                onDelete={() => client.call("deleteFeedback", { path: { feedback_id: id } })}
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
              ["Review", <ReviewedLabel key="review" report={feedback} />],
              ["User", feedback.user],
              ["Session", feedback.session ?? "unknown"],
            ]}
          />
          <ReviewForm document={document} mayWrite={mayWrite} />
        </>
      )}
    </DocumentPage>
  );
}

function useFeedbackSource(id: string): DocumentSource<FeedbackView, ReviewDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["feedback", id],
      read: (signal) => client.call("readFeedback", { path: { feedback_id: id }, ...(signal ? { signal } : {}) }),
      write: (draft, etag) =>
        client.call("reviewFeedback", { path: { feedback_id: id }, body: { ...draft }, ifMatch: etag }),
      draftOf: ({ reviewed, comment }) => ({ reviewed, comment }),
    }),
    [client, id],
  );
}
