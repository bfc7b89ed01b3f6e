/** Ends all sessions of a user. */

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useClient } from "../../api/context";
import { EVERYTHING } from "../../api/endings";
import { messageOf } from "../../api/errors";
import type { SignedOutView } from "../../api/generated/client";
import { EndingsFields } from "../../auth/endings-fields";
import { Dialog } from "../../ui/dialog";
import { ReasonFields, useReason } from "../../ui/document/reason-fields";
import { showDone } from "../../ui/notices";

export function SignOutButton({ user }: { user: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const given = useReason(undefined);
  const [isOpen, dialog] = useDisclosure(false);
  const [ends, setEnds] = useState(EVERYTHING);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setEnds(EVERYTHING);
    setError(null);
    dialog.close();
  };
  const signOut = async () => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await client.call("signOutUser", {
        path: { user_id: user },
        body: ends,
        reason: given.reason,
      });
      for (const old of ["sessions", "tokens", "commands", "audit"])
        void queries.invalidateQueries({ queryKey: [old] });
      close();
      showDone(`Signed out ${user}. ${sentence(data)}`);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Sign out
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`Sign out ${user}?`} centered>
        <Stack>
          <Text size="sm">
            All sessions of this user in browsers and on desktops end immediately. The password stays the same, so the
            user can sign in again.
          </Text>
          <EndingsFields owner="the user's" ends={ends} onChange={setEnds} />
          <ReasonFields given={given} error={error} />
          {error !== null && (
            <Alert color="red" variant="light" role="alert">
              {messageOf(error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={isBusy} onClick={() => void signOut()}>
              Sign out
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

function sentence({ desktops, apiTokens, plannedWork }: SignedOutView): string {
  const said = [
    desktops === 1 ? "1 desktop was signed in." : `${desktops.toLocaleString("en")} desktops were signed in.`,
  ];
  if (apiTokens > 0)
    said.push(
      apiTokens === 1 ? "1 API token was revoked." : `${apiTokens.toLocaleString("en")} API tokens were revoked.`,
    );
  if (plannedWork > 0) said.push(`Planned work was stopped: ${plannedWork.toLocaleString("en")}.`);
  return said.join(" ");
}
