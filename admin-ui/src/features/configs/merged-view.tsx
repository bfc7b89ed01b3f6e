/** The merged configuration of a selected user or group. */

import { Group, Paper, Stack, Title } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { NameInput } from "../../ui/suggest-input";
import { useGroupNames } from "../groups/group-names";
import { useUserNames } from "../users/user-names";
import { ExplainedConfig } from "./explained-config";

export function MergedView() {
  const users = useUserNames();
  const groups = useGroupNames();
  const navigate = useNavigate();
  const { user = "", group = "" } = useSearch({ strict: false }) as Record<string, string>;
  const choose = (search: Record<string, string>) =>
    void navigate({ to: ".", replace: true, search: (old: Record<string, string>) => ({ ...old, ...search }) });
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          Effective configuration of a user or group
        </Title>
        <Group align="flex-end">
          <NameInput
            label="User"
            placeholder="none"
            value={user}
            onChange={(name) => choose({ user: name, group: "" })}
            suggestions={users}
            width={240}
          />
          <NameInput
            label="Group"
            placeholder="none"
            value={group}
            onChange={(name) => choose({ group: name, user: "" })}
            suggestions={groups}
            width={240}
          />
        </Group>
        <ExplainedConfig key={`${user} ${group}`} {...(user ? { user } : {})} {...(group ? { group } : {})} />
      </Stack>
    </Paper>
  );
}
