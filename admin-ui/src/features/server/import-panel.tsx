/** Imports the export of another server: first as a dry run with a report, then, after confirmation, permanently. */

import { Alert, Button, FileButton, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useClient } from "../../api/context";
import { messageOf } from "../../api/errors";
import type { ImportedView } from "../../api/generated/client";
import { Icon } from "../../ui/icons";
import { Details } from "../../ui/states/error-state";
import { sizeText } from "../reports/reviewed-label";

export function ImportPanel() {
  const client = useClient();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<ImportedView | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const send = async (chosen: File, dryRun: boolean) => {
    setBusy(true);
    setError(null);
    setReport(null);
    try {
      setReport((await client.call("importServer", { query: { dryRun }, file: chosen })).data);
      if (!dryRun) await queries.invalidateQueries();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (chosen) void send(chosen, true);
  };

  return (
    <Paper withBorder p="md">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h5">
          Import
        </Title>
        <Text size="sm">
          Import a file that another server exported. This server must be a new installation that contains no data
          except its administrators. Both servers must run the same version. The file is checked first. Nothing is
          imported until you confirm.
        </Text>
        <FileButton onChange={choose} inputProps={{ "aria-label": "Export file to import" }}>
          {(props) => (
            <Button {...props} variant="default" loading={isBusy} leftSection={<Icon name="upload" size={16} />}>
              Choose file
            </Button>
          )}
        </FileButton>
        {file && (
          <Text size="sm" c="dimmed" className="breaks">
            {file.name}, {sizeText(file.size)}
          </Text>
        )}
        {error !== null && (
          <Alert color="red" variant="light" role="alert" title="Nothing was imported" w="100%">
            <Text size="sm">{messageOf(error)}</Text>
            <Details error={error} />
          </Alert>
        )}
        {report && <Report report={report} />}
        {report?.dryRun && file && (
          <Group>
            <Button color="red" loading={isBusy} onClick={() => void send(file, false)}>
              Import
            </Button>
            <Button variant="default" onClick={() => setReport(null)}>
              Cancel
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Report({ report }: { report: ImportedView }) {
  const rows = Object.entries(report.rows).filter(([, count]) => count > 0);
  return (
    <Alert
      color={report.dryRun ? "rostrum" : "green"}
      variant="light"
      role="status"
      w="100%"
      title={`${report.total.toLocaleString()} rows ${report.dryRun ? "would be" : "were"} imported`}
    >
      <List size="sm">
        {rows.map(([table, count]) => (
          <List.Item key={table}>
            {table.replaceAll("_", " ")}: {count.toLocaleString()}
          </List.Item>
        ))}
      </List>
      {report.keptUsers.length > 0 && (
        <Text size="sm" className="breaks">
          Users of this server that the export does not contain are kept: {report.keptUsers.join(", ")}.
        </Text>
      )}
    </Alert>
  );
}
