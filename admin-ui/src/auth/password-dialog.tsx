/** The dialog in which users change their own password. */

import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useMe, useSession } from "../api/context";
import { NOTHING } from "../api/endings";
import { detailsOf, messageOf } from "../api/errors";
import { Dialog } from "../ui/dialog";
import { showDone } from "../ui/notices";
import { Failure } from "../ui/states/failure";
import { EndingsFields } from "./endings-fields";

interface PasswordDialogProps {
  opened: boolean;
  /** What else happens when the password is changed. */
  note?: string | undefined;
  onClose: () => void;
  onChanged?: (() => void) | undefined;
}

export function PasswordDialog({ opened, note, onClose, onChanged }: PasswordDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Change password" centered keepMounted={false}>
      <PasswordForm note={note} onClose={onClose} onChanged={onChanged} />
    </Dialog>
  );
}

function PasswordForm({ note, onClose, onChanged }: Omit<PasswordDialogProps, "opened">) {
  const session = useSession();
  const me = useMe();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [message, setMessage] = useState("");
  const [weakness, setWeakness] = useState("");
  const [ends, setEnds] = useState(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const differs = again !== "" && again !== next;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (again !== next) return;
    setBusy(true);
    setMessage("");
    setWeakness("");
    try {
      await session.changePassword(current, next, ends);
      showDone("Password changed. Your other sessions have ended.");
      onClose();
      onChanged?.();
    } catch (error) {
      const problem = detailsOf(error).find((detail) => detail.path === "new");
      if (problem) setWeakness(`The new password ${problem.message}.`);
      else setMessage(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} aria-label="Change password">
      <Stack>
        <Text size="sm">
          You stay signed in here. All other sessions of {me.id} end. {note}
        </Text>
        {/* Lets password managers identify the user. */}
        <input type="text" name="username" autoComplete="username" value={me.id} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          data-autofocus
          required
          withAsterisk={false}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          error={weakness}
          required
          withAsterisk={false}
        />
        <PasswordInput
          label="Repeat new password"
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={differs ? "The passwords differ." : ""}
          required
          withAsterisk={false}
        />
        <EndingsFields owner="your" ends={ends} onChange={setEnds} />
        <Failure message={message} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={differs}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
