/** What a client gets once all files are merged. */

import { Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../api/context";
import { JsonText } from "../../ui/json-text";
import { QueryState } from "../../ui/states/query-state";
import { NameInput } from "../../ui/suggest-input";
import { useUserNames } from "../users/user-names";

export function MergedView() {
  const client = useClient();
  const users = useUserNames();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, string>;
  const user = search.user ?? "";
  const [version, setVersion] = useState(search.version ?? "");
  const [asked] = useDebouncedValue(version, 300);
  const found = useQuery({
    queryKey: ["configs", "merged", user, asked],
    queryFn: async ({ signal }) =>
      (
        await client.call("postSystemConfig", {
          body: { ...(user ? { user } : {}), ...(asked ? { version: asked } : {}) },
          signal,
        })
      ).data,
    placeholderData: (before) => before,
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          What someone gets
        </Title>
        <Group align="flex-end">
          <NameInput
            label="User"
            placeholder="you"
            value={user}
            onChange={(name) =>
              void navigate({
                to: ".",
                replace: true,
                search: (old: Record<string, string>) => ({ ...old, user: name }),
              })
            }
            suggestions={users}
            width={240}
          />
          <TextInput
            label="Platform version"
            placeholder="any"
            value={version}
            onChange={(event) => setVersion(event.currentTarget.value)}
            w={160}
          />
        </Group>
        <QueryState query={found}>
          {(files) =>
            Object.keys(files).length === 0 ? (
              <Text c="dimmed">No file counts for them.</Text>
            ) : (
              Object.entries(files).map(([file, { contents }]) => <JsonText key={file} title={file} value={contents} />)
            )
          }
        </QueryState>
      </Stack>
    </Paper>
  );
}
