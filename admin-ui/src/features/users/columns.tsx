/** The columns and filters of the list of users. */

import { Text } from "@mantine/core";
import type { UserView } from "../../api/generated/client";
import { Label, Names } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import { type Column, type Filter, YES_NO } from "../../ui/list/columns";
import { Time } from "../../ui/time";

export const columns: readonly Column<UserView>[] = [
  {
    id: "id",
    header: "User",
    sort: "id",
    grow: 1.5,
    cell: (user) => (
      <>
        <TextLink to={pathOf("users", user.id)} size="sm">
          {user.id}
        </TextLink>
        {user.displayName && (
          <Text size="xs" c="dimmed" className="breaks">
            {user.displayName}
          </Text>
        )}
        {user.service && (
          <>
            {" "}
            <Label color="blue">service account</Label>
          </>
        )}
      </>
    ),
  },
  { id: "email", header: "E-mail", sort: "email", grow: 2.25, cell: (user) => <Email address={user.email} /> },
  { id: "groups", header: "Groups", grow: 2.5, cell: (user) => <Names names={user.groups} most={2} /> },
  {
    id: "apps",
    isOptional: true,
    header: "Assigned apps",
    grow: 1.4,
    cell: (user) => <Names names={user.apps} most={1} />,
  },
  {
    id: "disabled",
    grow: 1.15,
    header: "State",
    sort: "disabled",
    cell: (user) =>
      user.disabled ? (
        <>
          <Label color="red">disabled</Label>{" "}
          {user.disabledSince && (
            <Text size="xs" c="dimmed" component="span">
              <Time at={user.disabledSince} />
            </Text>
          )}
        </>
      ) : (
        <Label color="green">active</Label>
      ),
  },
  {
    id: "modified",
    isOptional: true,
    header: "Changed",
    sort: "modified",
    cell: (user) => <Time at={user.modified} />,
  },
  {
    id: "lastSeen",
    isOptional: true,
    header: "Last seen",
    cell: (user) => <Time at={user.lastSeen} />,
  },
];

export const filters: readonly Filter[] = [
  { name: "group", label: "Group", whole: true },
  { name: "app", label: "Assigned app", whole: true },
  { name: "disabled", label: "Disabled", choices: YES_NO },
  { name: "service", label: "Service account", choices: YES_NO },
  { name: "modified", label: "Changed", isPeriod: true },
];

/** An address that is too long for one line is continued with its domain. */
function Email({ address }: { address: string | null | undefined }) {
  if (!address) return <span>–</span>;
  const at = address.lastIndexOf("@");
  return (
    <span>
      {address.slice(0, Math.max(at, 0))}
      <wbr />
      {address.slice(Math.max(at, 0))}
    </span>
  );
}
