/** A placeholder for content that is loading. */

import { Skeleton, Stack } from "@mantine/core";

const LINES = ["100%", "96%", "98%", "92%", "95%", "90%"];

export function LoadingState() {
  return (
    <Stack gap="sm" p="md" role="status" aria-label="Loading">
      {LINES.map((width) => (
        <Skeleton key={width} height={18} width={width} />
      ))}
    </Stack>
  );
}
