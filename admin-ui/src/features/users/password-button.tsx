/** Sets the password of a user, which ends all their sessions. */

import { Alert, Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useClient } from "../../api/context";
import { EVERYTHING, withPassword } from "../../api/endings";
import { isProposed, messageOf } from "../../api/errors";
import { EndingsFields } from "../../auth/endings-fields";
import { Dialog } from "../../ui/dialog";
import { fieldErrors } from "../../ui/document/field-errors";
import { ReasonFields, useReason } from "../../ui/document/reason-fields";
import { showDone, showError } from "../../ui/notices";

export function PasswordButton({ user }: { user: string }) {
  const client = useClient();
  const [isOpen, dialog] = useDisclosure(false);
  const [password, setPassword] = useState("");
  const [ends, setEnds] = useState(EVERYTHING);
  const [error, setError] = useState<unknown>(null);
  const given = useReason("user");
  const weakness = fieldErrors(error, ["password"]).at("password");
  const close = () => {
    setPassword("");
    setEnds(EVERYTHING);
    setError(null);
    dialog.close();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const body = { password, ...withPassword(ends) };
      await client.call("changeUser", { path: { user_id: user }, body, reason: given.reason });
      close();
      showDone("Password changed.");
    } catch (failure) {
      if (isProposed(failure)) {
        close();
        showError(failure);
      } else setError(failure);
    }
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Set password
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`Set the password of ${user}`} centered>
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Text size="sm">All sessions of this user end immediately.</Text>
            <PasswordInput
              label="New password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={weakness}
              data-autofocus
              required
            />
            <EndingsFields owner="the user's" ends={ends} onChange={setEnds} />
            <ReasonFields given={given} error={error} />
            {error !== null && !weakness && (
              <Alert color="red" variant="light" role="alert">
                {messageOf(error)}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" disabled={password === "" || given.isMissing}>
                Set password
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}
