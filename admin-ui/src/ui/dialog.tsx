/** Dialogs and side panels that are created when they are opened for the first time: most are never opened. */

import { Drawer, type DrawerProps, Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

export function Dialog({ opened, ...props }: ModalProps) {
  const { isCreated, isShown } = useCreated(opened);
  return isCreated && <Modal opened={isShown} {...props} />;
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
