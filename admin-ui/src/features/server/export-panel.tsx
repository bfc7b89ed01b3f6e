/** Exports all data to one file. */

import { Alert, Button, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useClient } from "../../api/context";
import { messageOf } from "../../api/errors";
import { Icon } from "../../ui/icons";
import { showDone } from "../../ui/notices";

export function ExportPanel() {
  const client = useClient();
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    setError(null);
    setShare(0);
    try {
      await client.download("exportServer", {}, "rostrum.export", setShare);
      showDone("The export was downloaded.");
    } catch (failure) {
      setError(failure);
    } finally {
      setShare(null);
    }
  };
  return (
    <Paper withBorder p="md">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h5">
          Export
        </Title>
        <Text size="sm">
          The export is one file with all data of this server: users, groups, apps, layouts, preferences, configuration
          files, sessions, crash reports, feedback and the audit log. It also contains earlier revisions and the
          password hashes of users. Protect this file in the same way as the database. Each export is recorded in the
          audit log.
        </Text>
        <Button leftSection={<Icon name="download" size={16} />} loading={share !== null} onClick={() => void run()}>
          Export everything
        </Button>
        {share !== null && <Progress w="100%" value={share * 100} aria-label="Progress of the export" />}
        {error !== null && (
          <Alert color="red" variant="light" role="alert" title="Not exported">
            {messageOf(error)}
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
