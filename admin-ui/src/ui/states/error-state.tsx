/** Shows an error instead of a page, and what to do. */

import { Alert, Button, List, Stack, Text } from "@mantine/core";
import { detailsOf, isForbidden, isMissing, messageOf } from "../../api/errors";

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <Alert color="red" variant="light" title={titleOf(error)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        <Details error={error} />
        {onRetry && !isForbidden(error) && !isMissing(error) && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** All problems that the manager found, with their paths. */
export function Details({ error }: { error: unknown }) {
  const details = detailsOf(error);
  if (details.length === 0) return null;
  return (
    <List size="sm" spacing={2}>
      {details.map((detail, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes once it is there
        <List.Item key={index}>
          {detail.path && <strong>{detail.path}: </strong>}
          {detail.message}
        </List.Item>
      ))}
    </List>
  );
}

function titleOf(error: unknown): string {
  if (isForbidden(error)) return "Permission required";
  if (isMissing(error)) return "Not found";
  return "Something went wrong";
}
