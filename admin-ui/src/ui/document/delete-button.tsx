/** Deletes after a confirmation, and offers to undo it if possible. */

import { Box, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import type { Reason } from "../../api/client";
import { isProposed } from "../../api/errors";
import { BlockedButton } from "../blocked-button";
import { Dialog } from "../dialog";
import { Icon } from "../icons";
import { showDone, showError, showUndo } from "../notices";
import { type ChangedKind, ReasonFields, useReason } from "./reason-fields";

interface DeleteButtonProps {
  /** The deleted object, such as `the app fx-rates`. */
  what: string;
  /** Further consequences. */
  consequence: ReactNode;
  onDelete: (reason: Reason) => Promise<unknown>;
  /** Restores the object. */
  onUndo?: (reason: Reason) => Promise<unknown>;
  onDeleted: () => void;
  /** Why the manager would reject it; null if it would not. */
  blocked?: string | null;
  /** The kind of the document, if a comment and a ticket can be given. */
  changes?: ChangedKind;
  word?: string;
  /** The past participle of the action, such as `Ended`. */
  done?: string;
  size?: string;
}

export function DeleteButton({ what, consequence, onDelete, onUndo, onDeleted, ...looks }: DeleteButtonProps) {
  const { word = "Delete", done: doneWord = word === "Delete" ? "Deleted" : "Ended", size } = looks;
  const { blocked = null, changes } = looks;
  const given = useReason(changes);
  const [isOpen, dialog] = useDisclosure(false);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await onDelete(given.reason);
      dialog.close();
      onDeleted();
      const done = `${doneWord} ${what}.`;
      if (onUndo) showUndo(done, () => onUndo(given.undo));
      else showDone(done);
    } catch (error) {
      if (isProposed(error)) dialog.close();
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <BlockedButton
        variant="default"
        {...(size ? { size } : {})}
        leftSection={<Icon name="trash" size={16} />}
        blocked={blocked}
        onClick={dialog.open}
      >
        {word}
      </BlockedButton>
      <Dialog opened={isOpen} onClose={dialog.close} title={`${word} ${what}?`} centered>
        <Text size="sm" component="div" className="breaks">
          {consequence}
        </Text>
        <Box mt="sm">
          <ReasonFields given={given} />
        </Box>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={dialog.close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isBusy} disabled={given.isMissing} onClick={() => void remove()}>
            {word}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
