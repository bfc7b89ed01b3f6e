/** The menu of the signed-in user. */

import { Button, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useMe } from "../api/context";
import { Icon } from "../ui/icons";
import { OwnSessionsDialog } from "./own-sessions-dialog";
import { PasswordDialog } from "./password-dialog";

interface AccountMenuProps {
  /** Further menu items. */
  children?: ReactNode;
  /** What else happens when the password is changed. */
  passwordNote?: string | undefined;
  onPasswordChanged?: () => void;
  /** The session of this page in the list of sessions. */
  ownSession?: string | null;
}

export function AccountMenu({ children, passwordNote, onPasswordChanged, ownSession = null }: AccountMenuProps) {
  const me = useMe();
  const [isChanging, password] = useDisclosure(false);
  const [isLooking, sessions] = useDisclosure(false);
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
              {me.displayName ?? me.id}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--mantine-color-text)" className="breaks" maw={240}>
              {me.displayName ?? me.id}
            </Text>
            {me.displayName && (
              <Text size="xs" className="breaks" maw={240}>
                {me.id}
              </Text>
            )}
          </Menu.Label>
          <Menu.Item onClick={password.open}>Change password</Menu.Item>
          <Menu.Item onClick={sessions.open}>Your sessions</Menu.Item>
          {children}
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog opened={isChanging} note={passwordNote} onClose={password.close} onChanged={onPasswordChanged} />
      <OwnSessionsDialog opened={isLooking} onClose={sessions.close} own={ownSession} />
    </>
  );
}
