/** Dialogs and side panels that are created when they are opened for the first time: most are never opened. */

import { Drawer, type DrawerProps, Modal, type ModalProps } from "@mantine/core";
import { useEffect, useId, useState, useSyncExternalStore } from "react";

/** The open dialogs, the last one on top, and the functions that react to changes. */
let stack: readonly string[] = [];
const listeners = new Set<() => void>();

/** Only the dialog on top closes with Escape: the input of those below would be lost. */
export function Dialog({ opened, closeOnEscape = true, ...props }: ModalProps) {
  const { isCreated, isShown } = useCreated(opened);
  const isOnTop = useIsOnTop(opened);
  return isCreated && <Modal opened={isShown} closeOnEscape={closeOnEscape && isOnTop} {...props} />;
}

export function SidePanel({ opened, ...props }: DrawerProps) {
  const { isCreated, isShown } = useCreated(opened);
  return isCreated && <Drawer opened={isShown} {...props} />;
}

/** It is first created closed: only then does it remember the element that gets the focus back. */
function useCreated(opened: boolean): { isCreated: boolean; isShown: boolean } {
  const [wasOpened, setWasOpened] = useState(opened);
  useEffect(() => {
    if (opened) setWasOpened(true);
  }, [opened]);
  return { isCreated: opened || wasOpened, isShown: opened && wasOpened };
}

function useIsOnTop(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return undefined;
    change([...stack, id]);
    return () => change(stack.filter((other) => other !== id));
  }, [opened, id]);
  return useSyncExternalStore(listen, () => stack.at(-1)) === id;
}

function change(open: readonly string[]) {
  stack = open;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
