/** Creates an API token and shows it once: the manager stores only a hash of it. */

import { Button, Group, MultiSelect, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useClient, useMe } from "../../api/context";
import { messageOf } from "../../api/errors";
import { Dialog } from "../../ui/dialog";
import { SelectInput } from "../../ui/select-input";
import { ShownOnce } from "../../ui/shown-once";
import { Failure } from "../../ui/states/failure";
import { NameInput, type Suggestions } from "../../ui/suggest-input";
import { permissionChoices } from "./permissions";

const CREATED =
  "Copy the token now. It is shown only once. Anyone with the token has its permissions until it expires or is revoked.";

interface NewTokenDialogProps {
  /** Whether the token is for a service account; otherwise it is for the user who is signed in. */
  isForService: boolean;
  onClose: () => void;
  onCreated: () => Promise<unknown>;
}

const DAYS = ["7", "30", "90", "180", "365"];

export function NewTokenDialog({ isForService, onClose, onCreated }: NewTokenDialogProps) {
  const [token, setToken] = useState("");
  return (
    <Dialog
      opened
      onClose={onClose}
      title={isForService ? "New token for a service account" : "New API token"}
      size="lg"
    >
      {token ? (
        <ShownOnce label="API token" secret={token} about={CREATED} onClose={onClose} />
      ) : (
        <Form
          isForService={isForService}
          onCreated={async (made) => {
            setToken(made);
            await onCreated();
          }}
        />
      )}
    </Dialog>
  );
}

function Form({ isForService, onCreated }: { isForService: boolean; onCreated: (token: string) => Promise<void> }) {
  const client = useClient();
  const me = useMe();
  const accounts = useServiceAccounts();
  const [user, setUser] = useState("");
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState<string[]>([]);
  const [days, setDays] = useState("90");
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setMessage("");
    try {
      const body = { name: name.trim(), permissions, expiresInDays: Number(days) };
      const { data } = isForService
        ? await client.call("createToken", { body: { ...body, user } })
        : await client.call("createOwnToken", { body });
      await onCreated(data.token);
    } catch (error) {
      setMessage(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} aria-label="New API token">
      <Stack>
        {isForService && <NameInput label="Service account" value={user} onChange={setUser} suggestions={accounts} />}
        <TextInput
          label="Name"
          description="The program that uses the token. The audit log shows this name."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
        />
        <MultiSelect
          label="Permissions"
          description={
            isForService
              ? "The token has each permission only while the service account has it too."
              : "The token has each permission only while you have it too."
          }
          data={permissionChoices(me)}
          value={permissions}
          onChange={setPermissions}
          searchable
          hidePickedOptions
          clearable
          clearButtonProps={{ "aria-label": "Clear permissions" }}
        />
        <SelectInput
          label="Expires"
          data={DAYS.map((value) => ({ value, label: `After ${value} days` }))}
          value={days}
          onChange={(value) => setDays(value ?? days)}
          allowDeselect={false}
        />
        <Failure message={message} />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={isForService && !user}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useServiceAccounts(): Suggestions {
  const client = useClient();
  return {
    queryKey: ["users", "service"],
    noun: "service account",
    unknown: "refuse",
    enabled: true,
    find: async (q, signal) => {
      const query = { q, limit: 20, sort: "id", service: true };
      return (await client.call("listUsers", { query, signal })).data.items.map((user) => user.id);
    },
    exists: async () => true,
  };
}
