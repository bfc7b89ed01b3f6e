/** The frame around every page: navigation, search, colours, sign-out. */

import { AppShell, Burger, Button, Group, Text, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { useSession } from "../api/context";
import { useLiveUpdates } from "../api/live";
import { AccountMenu } from "../auth/account-menu";
import { CookieNotice } from "../auth/cookie-notice";
import { ColourSwitch } from "../ui/colour-switch";
import { ConnectionBanner } from "../ui/connection-banner";
import { UnsavedGuard } from "../ui/document/unsaved-guard";
import { Icon } from "../ui/icons";
import { Mark } from "../ui/mark";
import { showError } from "../ui/notices";
import { Navigation } from "./navigation-list";
import { SearchButton } from "./search-button";

export function Frame() {
  const [isOpen, menu] = useDisclosure(false);
  const { setColorScheme } = useMantineColorScheme();
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
            <ColourSwitch onChange={setColorScheme} />
            <AccountMenu />
            <SignOutButton />
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

function SignOutButton() {
  const session = useSession();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="logout" size={16} />}
      onClick={() => void session.logOut().catch(showError)}
    >
      Sign out
    </Button>
  );
}
