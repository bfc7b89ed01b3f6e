/** Ends all sessions of a user. */

import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useClient } from "../../api/context";
import { messageOf } from "../../api/errors";
import { Dialog } from "../../ui/dialog";
import { ReasonFields, useReason } from "../../ui/document/reason-fields";
import { showDone } from "../../ui/notices";

export function SignOutButton({ user }: { user: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const given = useReason(undefined);
  const [isOpen, dialog] = useDisclosure(false);
  const [withTokens, setWithTokens] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setWithTokens(true);
    setError(null);
    dialog.close();
  };
  const signOut = async () => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await client.call("signOutUser", {
        path: { user_id: user },
        body: { apiTokens: withTokens },
        reason: given.reason,
      });
      for (const old of ["sessions", "tokens", "audit"]) void queries.invalidateQueries({ queryKey: [old] });
      close();
      showDone(`Signed out ${user}. ${sentence(data.desktops, data.apiTokens)}`);
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
          <Checkbox
            label="Also revoke the user's API tokens"
            checked={withTokens}
            onChange={(event) => setWithTokens(event.currentTarget.checked)}
          />
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

function sentence(desktops: number, tokens: number): string {
  const ended =
    desktops === 1 ? "1 desktop was signed in." : `${desktops.toLocaleString("en")} desktops were signed in.`;
  if (tokens === 0) return ended;
  return `${ended} ${tokens === 1 ? "1 API token was revoked." : `${tokens.toLocaleString("en")} API tokens were revoked.`}`;
}
