/** The menu of the signed-in user. */

import { Button, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useMe } from "../api/context";
import { Icon } from "../ui/icons";
import { PasswordDialog } from "./password-dialog";

/** `children` are further items. */
export function AccountMenu({ children }: { children?: ReactNode }) {
  const me = useMe();
  const [isChanging, password] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            maw={180}
            leftSection={<Icon name="users" size={16} />}
            aria-label={`Account of ${me.id}`}
          >
            <Text size="sm" truncate visibleFrom="sm" title={me.id}>
              {me.id}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={password.open}>Change password</Menu.Item>
          {children}
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog opened={isChanging} onClose={password.close} />
    </>
  );
}
