/** A secret that the server returns only when it is created, with a button to copy it. */

import { Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";

interface ShownOnceProps {
  /** The accessible name of the secret. */
  label: string;
  secret: string;
  /** What the secret permits, and until when. */
  about: string;
  onClose: () => void;
}

export function ShownOnce({ label, secret, about, onClose }: ShownOnceProps) {
  return (
    <Stack>
      <Text size="sm">{about}</Text>
      <Code block className="breaks" aria-label={label} style={{ whiteSpace: "pre-wrap" }}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
