/** The page of a signed-in user: the bar at the top and the workspaces. */

import { ActionIcon, Button, Group, Kbd, Menu, Tabs, Tooltip } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useSession } from "../../../admin-ui/src/api/context";
import { AccountMenu } from "../../../admin-ui/src/auth/account-menu";
import { CookieNotice } from "../../../admin-ui/src/auth/cookie-notice";
import { ColourSwitch } from "../../../admin-ui/src/ui/colour-switch";
import { ConnectionBanner } from "../../../admin-ui/src/ui/connection-banner";
import { Icon } from "../../../admin-ui/src/ui/icons";
import { Mark } from "../../../admin-ui/src/ui/mark";
import { showError, showUndo } from "../../../admin-ui/src/ui/notices";
import { ErrorState } from "../../../admin-ui/src/ui/states/error-state";
import { useApps } from "../apps/queries";
import { InteropBanner } from "../interop/interop-banner";
import { Resolver } from "../interop/resolver-dialog";
import { useInteropConnection, useNewInterop } from "../interop/use-interop";
import { WindowsButton } from "../interop/windows-button";
import { LauncherDialog } from "../launcher/launcher-dialog";
import { LayoutsDialog } from "../layouts/layouts-dialog";
import { usePlatformSession } from "../live/use-platform-session";
import { NotificationsButton } from "../notifications/notifications-button";
import { useAppChanges } from "../notifications/use-app-changes";
import type { PageOptions } from "../options";
import { usePreferences } from "../preferences/use-preferences";
import { windowsIn } from "../workspace/layout-format";
import type { Workbench, Workspace } from "../workspace/workbench";
import { useWorkbench } from "./use-workbench";

const RELOADS = "This page then reloads. Save your work in apps first.";

export function Shell({ options, onEnded }: { options: PageOptions; onEnded: () => void }) {
  const interop = useNewInterop();
  const ownSession = usePlatformSession(options.version, onEnded, (kind) => {
    if (kind === "prefs") interop.clients?.preferencesChanged();
  });
  const session = useSession();
  const { change } = usePreferences();
  const apps = useApps();
  const workbench = useWorkbench(options, apps.data, interop);
  useInteropConnection(interop, workbench, options);
  const [isLauncherOpen, launcher] = useDisclosure(false);
  const [isLayoutsOpen, layouts] = useDisclosure(false);
  useAppChanges(apps.data);
  useHotkeys([["mod+K", launcher.open]], []);
  const { workspaces, active } = useSyncExternalStore(workbench.subscribe, workbench.current);
  return (
    <Tabs
      value={active}
      onChange={(id) => id && workbench.select(id)}
      keepMounted
      className="platform"
      variant="pills"
      radius="md"
    >
      <header className="bar">
        <Mark size={28} />
        <h1 className="product">Rostrum</h1>
        <Button
          size="xs"
          leftSection={<Icon name="apps" size={16} />}
          rightSection={<Kbd size="xs">Ctrl K</Kbd>}
          onClick={launcher.open}
          aria-keyshortcuts="Control+K"
        >
          Apps
        </Button>
        <Tabs.List aria-label="Workspaces" className="workspace-tabs">
          {workspaces.map((workspace) => (
            <Tabs.Tab key={workspace.id} value={workspace.id}>
              {workspace.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tooltip label="New workspace">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="New workspace"
            onClick={() => workbench.add(`Workspace ${workspaces.length + 1}`)}
          >
            <Icon name="plus" />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Close this workspace">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Close this workspace"
            onClick={() => closeWorkspace(workbench)}
          >
            <Icon name="close" />
          </ActionIcon>
        </Tooltip>
        <Group gap="xs" ml="auto" wrap="nowrap">
          <WindowsButton interop={interop} workbench={workbench} />
          <Button size="xs" variant="default" leftSection={<Icon name="layouts" size={16} />} onClick={layouts.open}>
            Layouts
          </Button>
          <NotificationsButton />
          <ColourSwitch onChange={(theme) => change({ theme })} />
          <AccountMenu
            ownSession={ownSession}
            passwordNote={session.currentToken() ? undefined : RELOADS}
            onPasswordChanged={() => {
              if (session.needsReload) window.location.reload();
            }}
          >
            <Menu.Item onClick={() => void session.logOut().catch(showError)}>Sign out</Menu.Item>
          </AccountMenu>
        </Group>
      </header>
      <ConnectionBanner />
      <InteropBanner interop={interop} />
      <CookieNotice />
      {apps.error && !apps.data && <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />}
      <main className="workspaces">
        {workspaces.map((workspace) => (
          <Tabs.Panel key={workspace.id} value={workspace.id} className="workspace" tabIndex={-1}>
            <WorkspaceHost workspace={workspace} />
          </Tabs.Panel>
        ))}
      </main>
      {isLauncherOpen && (
        <LauncherDialog
          apps={apps.data ?? []}
          onClose={launcher.close}
          onOpen={(app, outside) => (outside ? workbench.openOutside(app, "window") : workbench.open(app))}
        />
      )}
      <Resolver interop={interop} workbench={workbench} />
      {isLayoutsOpen && <LayoutsDialog workbench={workbench as Workbench} onClose={layouts.close} />}
    </Tabs>
  );
}

/** Close the selected workspace. Its apps are closed as well, so the user can undo it. */
function closeWorkspace(workbench: Workbench): void {
  const { id, name, dock } = workbench.activeWorkspace;
  const { state } = dock;
  workbench.close(id);
  if (windowsIn(state).length === 0) return;
  showUndo(`Workspace "${name}" was closed.`, async () => workbench.add(name, state));
}

/** Adds the element of a workspace to the page once. It is never moved, because its frames would reload. */
function WorkspaceHost({ workspace }: { workspace: Workspace }) {
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    // Effects also run again when a hidden workspace is shown.
    if (host && workspace.dock.element.parentElement !== host) host.append(workspace.dock.element);
  }, [host, workspace.dock]);
  return <div ref={setHost} className="workspace-host" />;
}
