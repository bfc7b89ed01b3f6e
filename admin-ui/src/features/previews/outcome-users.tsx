/** The users of one result: the first ones, and all others on request. */

import { Button, Group, ScrollArea } from "@mantine/core";
import { useState } from "react";
import { useClient } from "../../api/context";
import type { PreviewedChange } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import { showError } from "../../ui/notices";
import { KINDS, type PreviewedKind } from "../documents/kinds";
import type { Proposals } from "./use-preview";

interface OutcomeUsersProps {
  kind: PreviewedKind;
  item: PreviewedChange;
  proposals: Proposals;
}

const PART = 500;

export function OutcomeUsers({ kind, item, proposals }: OutcomeUsersProps) {
  const client = useClient();
  const [names, setNames] = useState<readonly string[]>(item.users ?? []);
  const [isBusy, setBusy] = useState(false);
  if (item.users === null) return null;
  const left = item.count - names.length;
  const more = async () => {
    setBusy(true);
    try {
      const body = { changes: await proposals(), only: item.id, names: PART, namesOffset: names.length };
      const { data } = await client.call(KINDS[kind].preview, { body });
      setNames([...names, ...(data.items[0]?.users ?? [])]);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ScrollArea.Autosize mah={180} type="auto" mb="xs" viewportProps={{ tabIndex: 0 }}>
      <Group gap="xs" component="ul" className="plain-list" aria-label="Users">
        {names.map((name) => (
          <li key={name}>
            <TextLink to={pathOf("users", name)} size="sm" target="_blank">
              {name}
            </TextLink>
          </li>
        ))}
        {left > 0 && (
          <li>
            <Button size="compact-xs" variant="default" loading={isBusy} onClick={() => void more()}>
              {left.toLocaleString()} more
            </Button>
          </li>
        )}
      </Group>
    </ScrollArea.Autosize>
  );
}
