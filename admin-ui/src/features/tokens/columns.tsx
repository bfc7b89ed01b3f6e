/** The columns and filters of the lists of API tokens. */

import type { Reason } from "../../api/client";
import type { ApiTokenView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { Label, Names } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import type { Column, Filter } from "../../ui/list/columns";
import { Time } from "../../ui/time";
import { shortPermission } from "./permissions";

interface Shown {
  /** Whether tokens of several users are shown. */
  readonly isOfAll: boolean;
  /** Null omits the column with the revoke button. */
  readonly revoke: ((token: ApiTokenView, reason: Reason) => Promise<void>) | null;
}

export function columns({ isOfAll, revoke }: Shown): readonly Column<ApiTokenView>[] {
  return [
    { id: "name", header: "Name", sort: "name", grow: 1.5, cell: (token) => token.name },
    ...(isOfAll
      ? [
          {
            id: "user",
            header: "User",
            sort: "user",
            grow: 1.1,
            cell: (token: ApiTokenView) => (
              <TextLink to={pathOf("users", token.user)} size="sm">
                {token.user}
              </TextLink>
            ),
          },
        ]
      : []),
    {
      id: "permissions",
      header: "Permissions",
      grow: 1.6,
      cell: (token) => <Names names={token.permissions.map(shortPermission)} most={1} />,
    },
    { id: "expires", header: "Expires", sort: "expires", grow: 1.2, cell: (token) => <Expiry token={token} /> },
    {
      id: "lastUsed",
      header: "Last used",
      sort: "lastUsed",
      grow: 1.1,
      cell: (token) => (token.lastUsed ? <Time at={token.lastUsed} /> : "never"),
    },
    {
      id: "created",
      isOptional: true,
      header: "Created",
      sort: "created",
      grow: 1.2,
      cell: (token) => <Time at={token.created} />,
    },
    { id: "createdBy", isOptional: true, header: "Created by", grow: 1.2, cell: (token) => token.createdBy },
    ...(revoke
      ? [
          {
            id: "revoke",
            header: "Revoke",
            grow: 1.5,
            cell: (token: ApiTokenView) => (
              <DeleteButton
                what={`the API token "${token.name}"`}
                word="Revoke"
                done="Revoked"
                size="compact-sm"
                consequence="Requests with this token are refused from now on. This cannot be undone."
                onDelete={(reason) => revoke(token, reason)}
                onDeleted={() => undefined}
              />
            ),
          },
        ]
      : []),
  ];
}

export const filters: readonly Filter[] = [
  { name: "user", label: "User", whole: true },
  { name: "name", label: "Name" },
  { name: "expires", label: "Expires", isPeriod: true },
];

export const ownFilters: readonly Filter[] = [{ name: "name", label: "Name" }];

function Expiry({ token }: { token: ApiTokenView }) {
  if (Date.parse(token.expires) <= Date.now()) return <Label color="red">expired</Label>;
  return <Time at={token.expires} />;
}
