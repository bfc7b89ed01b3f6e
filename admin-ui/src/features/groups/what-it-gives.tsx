/** The members of a group and what they get by it. */

import { useClient } from "../../api/context";
import { SmallList } from "../../ui/list/small-list";
import { columns as appColumns } from "../apps/columns";
import { columns as configColumns } from "../configs/columns";
import { columns as layoutColumns } from "../layouts/columns";
import { columns as userColumns } from "../users/columns";

const MOST = 100;

export function GroupMembers({ group }: { group: string }) {
  const client = useClient();
  const query = { group, sort: "id", limit: MOST };
  return (
    <SmallList
      label={`Members of ${group}`}
      queryKey={["users", "in", group]}
      fetchRows={async (signal) => (await client.call("listUsers", { query, signal })).data}
      columns={userColumns}
      rowKey={(user) => user.id}
      empty="Nobody was put into this group directly. Members of groups that expand to it count as members too."
      all={{ to: "/users", search: { group } }}
    />
  );
}

export function GroupApps({ group }: { group: string }) {
  const client = useClient();
  const query = { accessList: group, sort: "name", limit: MOST };
  return (
    <SmallList
      label={`Apps that ${group} gives`}
      queryKey={["apps", "for", group]}
      fetchRows={async (signal) => (await client.call("listApps", { query, signal })).data}
      columns={appColumns}
      rowKey={(app) => app.name}
      empty="No app names this group in its access list."
      all={{ to: "/apps", search: { accessList: group } }}
    />
  );
}

export function GroupLayouts({ group }: { group: string }) {
  const client = useClient();
  const query = { accessList: group, sort: "name", limit: MOST };
  return (
    <SmallList
      label={`Layouts that ${group} gives`}
      queryKey={["layouts", "for", group]}
      fetchRows={async (signal) => (await client.call("listLayouts", { query, signal })).data}
      columns={layoutColumns}
      rowKey={(layout) => layout.id}
      empty="No layout names this group in its access list."
      all={{ to: "/layouts", search: { accessList: group } }}
    />
  );
}

export function GroupConfigs({ group }: { group: string }) {
  const client = useClient();
  const query = { group, sort: "file", limit: MOST };
  return (
    <SmallList
      label={`Configuration that ${group} gives`}
      queryKey={["configs", "for", group]}
      fetchRows={async (signal) => (await client.call("listConfigs", { query, signal })).data}
      columns={configColumns}
      rowKey={(config) => config.id}
      empty="No configuration file is kept for this group."
    />
  );
}
