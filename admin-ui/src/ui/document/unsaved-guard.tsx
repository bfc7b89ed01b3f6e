/** Prompts before leaving a page with unsaved changes, on all of its tabs. */

import { Button, Group, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from "react";
import { Dialog } from "../dialog";

/** The sources of unsaved changes. */
const UnsavedContext = createContext<Set<string>>(new Set());

/** Report whether this page has unsaved changes. */
export function useUnsaved(isDirty: boolean): void {
  const unsaved = useContext(UnsavedContext);
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    unsaved.add(id);
    return () => void unsaved.delete(id);
  }, [unsaved, id, isDirty]);
}

export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [unsaved] = useState(() => new Set<string>());
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved.size > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.size > 0,
    withResolver: true,
  });
  return (
    <UnsavedContext value={unsaved}>
      {children}
      <Dialog
        opened={blocker.status === "blocked"}
        onClose={() => blocker.reset?.()}
        title="Leave without saving?"
        centered
      >
        <Text size="sm">Your changes on this page are not saved.</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            Stay
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Group>
      </Dialog>
    </UnsavedContext>
  );
}
