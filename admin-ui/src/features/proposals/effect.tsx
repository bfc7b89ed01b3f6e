/** What a proposal would change for users: the users, the values, and what they would receive besides. */

import { Alert, Paper, Stack, Text, Title } from "@mantine/core";
import type { EffectDocument, EffectView, PreviewedChange } from "../../api/generated/client";
import { JsonText } from "../../ui/json-text";
import { people } from "../previews/effect-sentence";
import { ChangedItems } from "../previews/preview-result";

export function Effect({ effect }: { effect: EffectView }) {
  return (
    <Stack component="section" aria-label="Effect on users">
      <Title order={2} size="h4">
        Effect on users
      </Title>
      <Text size="sm">
        {effect.users === 0
          ? "No user receives other apps, layouts or settings."
          : `Affects ${people(effect.users)}. Calculated when the proposal was made.`}
      </Text>
      {effect.items.map((item) => (
        <Result key={item.id} item={item} />
      ))}
      {effect.unlisted > 0 && <Text size="sm">{people(effect.unlisted)} are affected in other ways.</Text>}
      {effect.documents.map((document) => (
        <Received key={`${document.kind} ${document.id}`} document={document} />
      ))}
      {effect.moreDocuments > 0 && (
        <Text size="sm">and {effect.moreDocuments} more documents, or documents that you may not read</Text>
      )}
    </Stack>
  );
}

function Result({ item }: { item: PreviewedChange }) {
  const names = item.users ?? [];
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="xs">
        {people(item.count)}
      </Title>
      {names.length > 0 && (
        <Text size="sm" className="breaks">
          {names.join(", ")}
          {item.count > names.length && ` and ${item.count - names.length} more`}
        </Text>
      )}
      <ChangedItems item={item} />
    </Paper>
  );
}

function Received({ document }: { document: EffectDocument }) {
  const { kind, name, content, large, rollout } = document;
  const tooLarge = "Too large to display.";
  return (
    <>
      {rollout && (
        <Alert color="orange" variant="light" title={`The ${kind} ${name} is being rolled out`}>
          Users also receive a new version that is not saved yet: stage {rollout.stage} of {rollout.stageCount} of the
          roll-out {rollout.id}, started by {rollout.createdBy}. Your approval includes this version.
        </Alert>
      )}
      {(content !== null || large) && (
        <JsonText title={`Users receive the ${kind} ${name}`} value={content} none={tooLarge} />
      )}
      {rollout && <JsonText title={`New version of the ${kind} ${name}`} value={rollout.candidate} none={tooLarge} />}
    </>
  );
}
