/** What a user gets, and why: apps, layouts, configuration. */

import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import type { EffectiveView } from "../../api/generated/client";
import { pathOf } from "../../ui/link";
import { QueryState } from "../../ui/states/query-state";
import { ExplainedConfig } from "../configs/explained-config";
import { GrantTable } from "./effective-grants";

const MOST = 1000;

export function UserApps({ user }: { user: string }) {
  const found = useEffective(user, "apps");
  return (
    <QueryState query={found}>
      {(effective) => (
        <Stack>
          <DisabledNote effective={effective} />
          <GrantTable
            label="apps"
            total={effective.apps?.total ?? 0}
            rows={(effective.apps?.items ?? []).map((app) => ({
              key: app.name,
              name: app.name,
              note: app.title,
              to: pathOf("apps", app.name),
              given: app.given,
              reasons: app.reasons,
              whyNot: app.whyNot,
            }))}
          />
        </Stack>
      )}
    </QueryState>
  );
}

export function UserLayouts({ user }: { user: string }) {
  const found = useEffective(user, "layouts");
  return (
    <QueryState query={found}>
      {(effective) => (
        <Stack>
          <DisabledNote effective={effective} />
          {effective.defaultLayout && (
            <Text size="sm">
              Opens with <strong>{effective.defaultLayout.name}</strong>, which{" "}
              {effective.defaultLayout.because === "chosen"
                ? "the user has chosen"
                : "is the default for those who have chosen none"}
              .
            </Text>
          )}
          <GrantTable
            label="layouts"
            total={effective.layouts?.total ?? 0}
            rows={(effective.layouts?.items ?? []).map((layout) => ({
              key: layout.id,
              name: layout.name,
              note: `${layout.type}, of ${layout.owner === "*" ? "everyone" : layout.owner}`,
              to: pathOf("layouts", layout.id),
              given: layout.given,
              reasons: layout.reasons,
              whyNot: layout.whyNot,
            }))}
          />
        </Stack>
      )}
    </QueryState>
  );
}

export function UserConfig({ user }: { user: string }) {
  return <ExplainedConfig user={user} />;
}

function DisabledNote({ effective }: { effective: EffectiveView }) {
  if (!effective.disabled) return null;
  return (
    <Alert color="red" variant="light">
      The user is disabled and gets nothing until that changes.
    </Alert>
  );
}

function useEffective(user: string, kind: "apps" | "layouts") {
  const client = useClient();
  return useQuery({
    queryKey: ["users", user, "effective", kind],
    queryFn: async ({ signal }) =>
      (await client.call("readEffective", { path: { user_id: user }, query: { kind, limit: MOST }, signal })).data,
  });
}
