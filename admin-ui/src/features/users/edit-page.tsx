/** The page of one user: settings, effective access, and activity. */

import { Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { may, useClient, useMay, useMe } from "../../api/context";
import type { UserView } from "../../api/generated/client";
import { AddressTabs, type Tab } from "../../ui/address-tabs";
import { useDocument } from "../../ui/document/use-document";
import { Label } from "../../ui/labels";
import { Time } from "../../ui/time";
import { userDeletionBlocked } from "../access/blocked";
import { CompareLink } from "../compare/compare-link";
import { EditFrame } from "../documents/edit-frame";
import { Reach } from "../documents/reach";
import { UserApps, UserConfig, UserLayouts } from "./effective-tabs";
import { LinkButton } from "./link-button";
import { PasswordButton } from "./password-button";
import { bodyOf, draftOfBody, useUserSource } from "./queries";
import { SignOutButton } from "./sign-out-button";
import { UserCommands, UserCrashes, UserMachines, UserSessions } from "./user-activity";
import { UserForm } from "./user-form";
import { UserGroups, useEffectiveGroups } from "./user-groups";
import { UserUsage } from "./user-usage";

export function UserPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneUser key={id} id={id} />;
}

function OneUser({ id }: { id: string }) {
  const client = useClient();
  const me = useMe();
  const mayWrite = useMay("USERS", "WRITE");
  const document = useDocument(useUserSource(id));
  const effectiveGroups = useEffectiveGroups(id).data?.groups.map((group) => group.name);
  const tabs: Tab[] = [
    {
      name: "general",
      label: "General",
      content: () => (
        <UserForm
          document={document}
          mayWrite={mayWrite}
          isOwn={id === me.id}
          {...(document.view ? { children: <UserActivity user={document.view} /> } : {})}
          beside={
            <Reach
              kind="users"
              document={document}
              proposal={(draft) => ({ action: "change", key: id, document: { ...bodyOf(draft) } })}
            />
          }
        />
      ),
    },
    { name: "groups", label: "Groups", content: () => <UserGroups user={id} /> },
  ];
  if (may(me, "APPS", "READ"))
    tabs.push({ name: "apps", label: "Applications", content: () => <UserApps user={id} /> });
  if (may(me, "LAYOUTS", "READ"))
    tabs.push({ name: "layouts", label: "Layouts", content: () => <UserLayouts user={id} /> });
  if (may(me, "SYSTEM_CONFIGS", "READ"))
    tabs.push({ name: "configs", label: "Configuration", content: () => <UserConfig user={id} /> });
  if (may(me, "SESSIONS", "READ"))
    tabs.push({ name: "sessions", label: "Sessions", content: () => <UserSessions user={id} /> });
  if (may(me, "MACHINES", "READ"))
    tabs.push({ name: "machines", label: "Machines", content: () => <UserMachines user={id} /> });
  if (may(me, "COMMANDS", "READ"))
    tabs.push({ name: "commands", label: "Commands", content: () => <UserCommands user={id} /> });
  if (may(me, "CRASHES", "READ"))
    tabs.push({ name: "crashes", label: "Crashes", content: () => <UserCrashes user={id} /> });
  tabs.push({ name: "usage", label: "Usage", content: () => <UserUsage user={id} /> });
  return (
    <EditFrame
      kind="users"
      id={id}
      document={document}
      title={id}
      actions={<CompareLink kind="users" id={id} />}
      draftOf={draftOfBody}
      removal={{
        what: `the user ${id}`,
        consequence:
          "The user's sessions, layouts, preferences and configuration are deleted too. To undo this, select “Roll back” on the lists of users, layouts, preferences and configuration files. The user then needs a new password.",
        remove: (reason) => client.call("deleteUser", { path: { user_id: id }, reason }),
        comesBack: false,
        blocked: userDeletionBlocked(me, id, effectiveGroups ?? document.view?.groups ?? []),
      }}
      moreActions={
        document.view?.service ? (
          <Label color="blue">service account</Label>
        ) : (
          mayWrite && (
            <>
              <PasswordButton user={id} />
              {id !== me.id && <LinkButton users={async () => [id]} label="Create link…" />}
              {id !== me.id && <SignOutButton user={id} />}
            </>
          )
        )
      }
    >
      <AddressTabs tabs={tabs} />
    </EditFrame>
  );
}

/** What the server records about the user. */
function UserActivity({ user }: { user: UserView }) {
  return (
    <Text size="sm" c="dimmed">
      Last seen: {user.lastSeen ? <Time at={user.lastSeen} /> : "never, or too long ago to be recorded"}
      {user.disabledSince && (
        <>
          . Disabled <Time at={user.disabledSince} />
        </>
      )}
      .
    </Text>
  );
}
