/** The summary of a minidump. */

import { Alert, Stack, Text, Title } from "@mantine/core";
import type { DumpView } from "../../api/generated/client";
import { Facts } from "../../ui/facts";

export function DumpFacts({ dump }: { dump: DumpView }) {
  if (dump.problem) {
    return (
      <Alert color="gray" variant="light" title="The minidump cannot be read">
        {dump.problem}. You can still download it.
      </Alert>
    );
  }
  return (
    <Stack gap="xs" component="section" aria-label="Minidump">
      <Title order={2} size="h5">
        Minidump
      </Title>
      <Facts
        facts={[
          ["Reason", dump.reason],
          ["Module and offset", dumpPlace(dump)],
          ["Version of the module", dump.moduleVersion],
          ["Address", dump.address],
          ["System", dump.system],
          ["Threads and modules", `${dump.threads} and ${dump.modules}`],
        ]}
      />
      <Text size="xs" c="dimmed">
        Function names require the symbols of the program, which the manager does not have.
      </Text>
    </Stack>
  );
}

export function dumpPlace(dump: DumpView): string {
  return dump.module ? `${dump.module}+${dump.offset}` : "";
}
