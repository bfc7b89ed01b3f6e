/** The frame around every page: navigation, search, colours, log-out. */

import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Menu,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { useMe, useSession } from "../api/context";
import { useLiveUpdates } from "../api/live";
import { CookieNotice } from "../auth/cookie-notice";
import { PasswordDialog } from "../auth/password-dialog";
import { ConnectionBanner } from "../ui/connection-banner";
import { UnsavedGuard } from "../ui/document/unsaved-guard";
import { Icon } from "../ui/icons";
import { Mark } from "../ui/mark";
import { showError } from "../ui/notices";
import { Navigation } from "./navigation-list";
import { SearchButton } from "./search-button";

export function Frame() {
  const [isOpen, menu] = useDisclosure(false);
  useLiveUpdates();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 230, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Mark size={28} />
            <Text fw={600} visibleFrom="xs">
              Rostrum
            </Text>
          </Group>
          <SearchButton />
          <Group gap="xs" wrap="nowrap">
            <ColourSwitch />
            <Who />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <Navigation onNavigate={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main className="page-ground">
        <ConnectionBanner />
        <CookieNotice />
        <UnsavedGuard>
          <Outlet />
        </UnsavedGuard>
      </AppShell.Main>
    </AppShell>
  );
}

function ColourSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const current = useComputedColorScheme("light");
  const other = current === "dark" ? "light" : "dark";
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Use ${other} colours`}
        onClick={() => setColorScheme(other)}
      >
        <Icon name={other === "dark" ? "moon" : "sun"} />
      </ActionIcon>
    </Tooltip>
  );
}

function Who() {
  const session = useSession();
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
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog opened={isChanging} onClose={password.close} />
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="logout" size={16} />}
        onClick={() => void session.logOut().catch(showError)}
      >
        Log out
      </Button>
    </>
  );
}
