/** The assessment of a report by administrators: whether it was reviewed, and a comment. */

import { Paper, Stack, Switch, Textarea, Title } from "@mantine/core";
import { SaveBar } from "../../ui/document/save-bar";
import type { EditedDocument } from "../../ui/document/use-document";

export interface ReviewDraft {
  readonly reviewed: boolean;
  readonly comment: string;
}

export function ReviewForm<View>({
  document,
  mayWrite,
}: {
  document: EditedDocument<View, ReviewDraft>;
  mayWrite: boolean;
}) {
  const { draft, change } = document;
  if (!draft) return null;
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="sm" maw={720}>
          <Title order={2} size="h5">
            Review
          </Title>
          <Switch
            label="Reviewed"
            checked={draft.reviewed}
            onChange={(event) => change({ ...draft, reviewed: event.currentTarget.checked })}
            disabled={!mayWrite}
          />
          <Textarea
            label="Comment"
            value={draft.comment}
            onChange={(event) => change({ ...draft, comment: event.currentTarget.value })}
            autosize
            minRows={3}
            disabled={!mayWrite}
          />
        </Stack>
      </Paper>
      <SaveBar document={document} mayWrite={mayWrite} />
    </>
  );
}
