/** Asks for the password again before a change that the manager does not accept from a session alone. */

import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useMe, useSession } from "../api/context";
import { messageOf } from "../api/errors";
import { Dialog } from "../ui/dialog";
import { Failure } from "../ui/states/failure";

export function ConfirmIdentity() {
  const session = useSession();
  const answer = useRef<(isConfirmed: boolean) => void>(() => undefined);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const remove = session.confirmation.askWith(() => {
      setOpened(true);
      return new Promise((resolve) => {
        answer.current = resolve;
      });
    });
    return () => {
      remove();
      answer.current(false);
    };
  }, [session]);
  const close = (isConfirmed: boolean) => {
    setOpened(false);
    answer.current(isConfirmed);
  };
  return (
    <Dialog
      opened={opened}
      onClose={() => close(false)}
      withCloseButton={false}
      title="Confirm your password"
      zIndex={900}
      centered
      keepMounted={false}
    >
      <Form onClose={close} />
    </Dialog>
  );
}

function Form({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const session = useSession();
  const me = useMe();
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // This form is inside another one in the tree of components, although not on the page.
    event.stopPropagation();
    setBusy(true);
    setMessage("");
    try {
      await session.confirmIdentity(password);
      onClose(true);
    } catch (error) {
      setMessage(messageOf(error));
      setPassword("");
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} aria-label="Confirm your password">
      <Stack>
        <Text size="sm">
          This action creates credentials, gives permissions, transfers all data, runs code or continues later. To
          continue, enter your password. You will not be asked again on this page for five minutes.
        </Text>
        {/* Lets password managers identify the user. */}
        <input type="text" name="username" autoComplete="username" value={me.id} readOnly hidden />
        <PasswordInput
          label={`Password of ${me.id}`}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
          required
          withAsterisk={false}
        />
        <Failure message={message} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={password === ""}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
