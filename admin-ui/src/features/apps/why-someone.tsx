/** Shows whether and why a user has access to an app. */

import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useClient } from "../../api/context";
import type { EffectiveView } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { QueryState } from "../../ui/states/query-state";
import { NameInput } from "../../ui/suggest-input";
import { GrantButton } from "../access/grant-button";
import { CompareLink } from "../compare/compare-link";
import { Because } from "../users/effective-grants";
import { useUserNames } from "../users/user-names";

export function WhySomeone({ app }: { app: string }) {
  const users = useUserNames();
  const [user, setUser] = useState("");
  return (
    <>
      <NameInput
        label="Check a user"
        placeholder="Choose a user"
        value={user}
        onChange={setUser}
        suggestions={users}
        width={280}
      />
      {user && <Verdict app={app} user={user} />}
    </>
  );
}

function Verdict({ app, user }: { app: string; user: string }) {
  const client = useClient();
  const found = useQuery({
    queryKey: ["users", user, "effective", "app", app],
    queryFn: async ({ signal }) =>
      (await client.call("readEffective", { path: { user_id: user }, query: { app }, signal })).data,
  });
  return (
    <QueryState query={found}>
      {(effective) => {
        const grant = effective.apps?.items[0];
        if (!grant) return <Text size="sm">This app no longer exists.</Text>;
        return (
          <Group gap="sm" align="flex-start">
            <Group gap="sm" align="flex-start" role="status">
              {grant.given ? <Label color="green">yes</Label> : <Label color="red">no</Label>}
              <div>
                <Because row={grant} />
              </div>
            </Group>
            <CompareLink kind="users" id={user} size="compact-sm" />
            {grant.whyNot && <GrantButton app={app} user={user} whyNot={grant.whyNot} groups={groupsOf(effective)} />}
          </Group>
        );
      }}
    </QueryState>
  );
}

const groupsOf = (effective: EffectiveView): string[] => effective.groups.map((group) => group.name);
