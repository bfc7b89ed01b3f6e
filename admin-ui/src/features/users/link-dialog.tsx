/** Creates links with which users set their password, and shows them once. */

import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { saveAs } from "../../api/client";
import { useClient } from "../../api/context";
import { messageOf } from "../../api/errors";
import type { PasswordLinkView } from "../../api/generated/client";
import { Dialog } from "../../ui/dialog";
import { ReasonFields, useReason } from "../../ui/document/reason-fields";
import { fileText } from "../../ui/list/list-file";
import { ShownOnce } from "../../ui/shown-once";
import { exactTime } from "../../ui/time";
import { useLinkAddress } from "./link-address";

/** The maximum number of users in one request, which limits the size of the response. */
const PART = 1000;

interface LinkDialogProps {
  users: readonly string[];
  onClose: () => void;
}

export function LinkDialog({ users, onClose }: LinkDialogProps) {
  const client = useClient();
  const given = useReason("user");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [made, setMade] = useState<readonly PasswordLinkView[] | null>(null);
  const create = async () => {
    setBusy(true);
    setError(null);
    const items: PasswordLinkView[] = [];
    try {
      for (let start = 0; start < users.length; start += PART) {
        const body = { users: users.slice(start, start + PART) };
        items.push(...(await client.call("createPasswordLinks", { body, reason: given.reason })).data.items);
      }
      setMade(items);
    } catch (failure) {
      setError(failure);
      // Links that were created must not be lost.
      if (items.length > 0) setMade(items);
    } finally {
      setBusy(false);
    }
  };
  const title = users.length === 1 ? `Link for ${users[0]}` : `Links for ${users.length.toLocaleString("en")} users`;
  return (
    <Dialog opened onClose={onClose} title={title} size="lg" closeOnClickOutside={made === null}>
      <Stack>
        {made ? (
          <Made items={made} onClose={onClose} />
        ) : (
          <>
            <Text size="sm">
              With a link, a user can set a password without knowing the old one. Each link works once. A new link
              replaces the user&apos;s earlier link. Send each link only to its user.
            </Text>
            <ReasonFields given={given} error={error} />
          </>
        )}
        {error !== null && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(error)}
          </Alert>
        )}
        {!made && (
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={isBusy} disabled={given.isMissing} onClick={() => void create()}>
              {users.length === 1 ? "Create link" : `Create ${users.length.toLocaleString("en")} links`}
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

function Made({ items, onClose }: { items: readonly PasswordLinkView[]; onClose: () => void }) {
  const addressOf = useLinkAddress();
  const created = items.filter((item) => item.token);
  const refused = items.filter((item) => !item.token);
  const [only] = created;
  return (
    <Stack>
      {refused.length > 0 && (
        <Alert color="orange" variant="light" title={`${refused.length.toLocaleString("en")} refused`} role="status">
          <List size="sm" aria-label="Refused">
            {refused.slice(0, 20).map((item) => (
              <List.Item key={item.user}>
                {item.user}: {item.message}
              </List.Item>
            ))}
          </List>
          {refused.length > 20 && <Text size="sm">and {(refused.length - 20).toLocaleString("en")} more</Text>}
        </Alert>
      )}
      {items.length === 1 && only?.token ? (
        <ShownOnce
          label="Link"
          secret={addressOf(only.token)}
          about={`Copy the link now. It is shown only once. Anyone with the link can set the password of ${only.user} until ${only.expires ? exactTime(only.expires) : ""}.`}
          onClose={onClose}
        />
      ) : (
        <>
          {created.length > 0 && (
            <Text size="sm">
              {`${created.length.toLocaleString("en")} links were created. Download them now: they are shown only once. Anyone with a link can set the password of its user. Delete the file after you have sent the links.`}
            </Text>
          )}
          <Group justify="flex-end">
            {created.length > 0 && (
              <Button
                variant="default"
                onClick={() => {
                  const rows = created.map((item) => ({
                    id: item.user,
                    link: addressOf(item.token ?? ""),
                    expires: item.expires,
                  }));
                  saveAs(new Blob([fileText(rows, "csv")], { type: "text/csv;charset=utf-8" }), "password-links.csv");
                }}
              >
                Download as CSV
              </Button>
            )}
            <Button onClick={onClose}>Done</Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
