/** The frame around every page: navigation, search, colours, sign-out. */

import { AppShell, Burger, Button, Group, Menu, Overlay, Text, useMantineColorScheme } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import { Outlet } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import { useSession } from "../api/context";
import { useLiveUpdates } from "../api/live";
import { AccountMenu } from "../auth/account-menu";
import { CookieNotice } from "../auth/cookie-notice";
import { ColourSwitch } from "../ui/colour-switch";
import { ConnectionBanner } from "../ui/connection-banner";
import { UnsavedGuard } from "../ui/document/unsaved-guard";
import { Icon } from "../ui/icons";
import { pathOf, RouterLink, TextLink } from "../ui/link";
import { Mark } from "../ui/mark";
import { ProposalLink, showError } from "../ui/notices";
import { Navigation } from "./navigation-list";
import { SearchButton } from "./search-button";

/** As wide as the breakpoint `md` of the theme: below it, the pages are in a menu. */
const NARROW = "(max-width: 61.99em)";

export function Frame() {
  const [isOpen, menu] = useDisclosure(false);
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const isMenu = isNarrow && isOpen;
  const button = useRef<HTMLButtonElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const main = useRef<HTMLElement>(null);
  const { setColorScheme } = useMantineColorScheme();
  useLiveUpdates();
  const isFollowed = useRef(false);
  useEffect(() => {
    if (isMenu) focusOnPage(side.current);
    // The focused link is now hidden.
    else if (isFollowed.current) main.current?.focus();
    isFollowed.current = false;
  }, [isMenu]);
  const dismiss = () => {
    menu.close();
    button.current?.focus();
  };
  const { close } = menu;
  const follow = useCallback(() => {
    isFollowed.current = isMenu;
    close();
  }, [isMenu, close]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 230, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={0}
      onKeyDown={(event) => {
        if (isMenu && event.key === "Escape") dismiss();
      }}
    >
      <ProposalLink value={linkToProposal}>
        <Notifications position="bottom-right" limit={4} />
      </ProposalLink>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              ref={button}
              opened={isOpen}
              onClick={isOpen ? dismiss : menu.open}
              hiddenFrom="md"
              size="sm"
              aria-label="Navigation"
              aria-expanded={isOpen}
              aria-controls="navigation"
            />
            <Mark size={28} />
            <Text fw={600} visibleFrom="xs">
              Rostrum
            </Text>
          </Group>
          <SearchButton />
          <Group gap="xs" wrap="nowrap">
            <ColourSwitch onChange={setColorScheme} />
            <AccountMenu>
              <Menu.Item component={RouterLink} to="/tokens">
                API tokens
              </Menu.Item>
            </AccountMenu>
            <SignOutButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar ref={side} id="navigation" className="navigation" inert={isNarrow && !isOpen}>
        <Navigation onNavigate={follow} />
      </AppShell.Navbar>
      {isMenu && <Overlay fixed zIndex={99} backgroundOpacity={0.35} onClick={dismiss} />}
      <AppShell.Main ref={main} className="page-ground" inert={isMenu} tabIndex={-1}>
        <ConnectionBanner />
        <CookieNotice />
        <UnsavedGuard>
          <Outlet />
        </UnsavedGuard>
      </AppShell.Main>
    </AppShell>
  );
}

function linkToProposal(proposal: string) {
  return <TextLink to={pathOf("proposals", proposal)}>Show the proposal</TextLink>;
}

/** Focus the link to the current page, or the first link. */
function focusOnPage(navigation: HTMLElement | null): void {
  const links = [...(navigation?.querySelectorAll("a") ?? [])];
  (links.find((link) => link.ariaCurrent) ?? links[0])?.focus();
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
