/** Creates a directory address and shows it once: the manager stores only a hash of it. */

import { Button, Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useClient, useSession } from "../../api/context";
import { messageOf } from "../../api/errors";
import { Dialog } from "../../ui/dialog";
import { ShownOnce } from "../../ui/shown-once";
import { Failure } from "../../ui/states/failure";

const CREATED =
  "Copy the address now. It is shown only once. Anyone with the address can read these apps until it is revoked.";

interface NewDirectoryDialogProps {
  onClose: () => void;
  onCreated: () => Promise<unknown>;
}

export function NewDirectoryDialog({ onClose, onCreated }: NewDirectoryDialogProps) {
  const [address, setAddress] = useState("");
  return (
    <Dialog opened onClose={onClose} title="New directory address" size="lg">
      {address ? (
        <ShownOnce label="Directory address" secret={address} about={CREATED} onClose={onClose} />
      ) : (
        <Form
          onCreated={async (made) => {
            setAddress(made);
            await onCreated();
          }}
        />
      )}
    </Dialog>
  );
}

function Form({ onCreated }: { onCreated: (address: string) => Promise<void> }) {
  const client = useClient();
  const session = useSession();
  const [kind, setKind] = useState("user");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setMessage("");
    try {
      const body = { ...(kind === "user" ? { user: name.trim() } : { group: name.trim() }), description };
      const { data } = await client.call("createDirectory", { body });
      await onCreated(new URL(data.path, new URL(session.apiURL, window.location.href)).href);
    } catch (error) {
      setMessage(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} aria-label="New directory address">
      <Stack>
        <SegmentedControl
          aria-label="Apps of"
          value={kind}
          onChange={setKind}
          data={[
            { value: "user", label: "Apps of a user" },
            { value: "group", label: "Apps of a group" },
          ]}
        />
        <TextInput
          label={kind === "user" ? "User" : "Group"}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput
          label="Description"
          description="The agent that uses the address. Helps you to find the right address to revoke."
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Failure message={message} />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
