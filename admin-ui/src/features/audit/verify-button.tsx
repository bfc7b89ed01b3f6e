/** Starts the verification of the chain on the server, and shows the result. */

import { Alert, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { QueryState } from "../../ui/states/query-state";

export function VerifyButton() {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="check" size={16} />} onClick={dialog.open}>
        Verify audit log
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title="Audit verification" centered>
        {isOpen && <Verdict />}
      </Dialog>
    </>
  );
}

function Verdict() {
  const client = useClient();
  const found = useQuery({
    queryKey: ["audit", "verify"],
    queryFn: async ({ signal }) => (await client.call("verifyAudit", { signal })).data,
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <QueryState query={found}>
      {(verdict) => (
        <Alert
          color={verdict.ok ? "green" : "red"}
          variant="light"
          role="status"
          title={verdict.ok ? "No entry was modified or deleted" : "The chain is broken"}
        >
          <Text size="sm">{verdict.entries} entries are intact.</Text>
          {verdict.fault && <Text size="sm">{Object.values(verdict.fault).join(": ")}</Text>}
          <Text size="sm" className="breaks">
            Store the latest hash in another place, so that you can compare it with the next verification:{" "}
            <span className="mono">{verdict.head}</span>
          </Text>
        </Alert>
      )}
    </QueryState>
  );
}
