/** The tree of scopes: all users, versions, groups, users, and the files of each. */

import { Button, Group, NavLink, Paper, ScrollArea, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { pathOf, RouterLink } from "../../ui/link";
import { useAddressWord } from "../../ui/list/address-word";
import { QueryState } from "../../ui/states/query-state";
import { type Branch, branchesOf, SCOPE_LABELS, SCOPES } from "./scope";

const MOST = 1000;

/** Not rendered again with each change of the page beside it. */
export const ScopeTree = memo(({ current }: { current: string | undefined }) => {
  const client = useClient();
  const mayWrite = useMay("SYSTEM_CONFIGS", "WRITE");
  const words = useAddressWord("q");
  const found = useQuery({
    queryKey: ["configs", "tree", words.settled],
    queryFn: async ({ signal }) =>
      (
        await client.call("listConfigs", {
          query: { q: words.settled, sort: "scope,target,file", limit: MOST },
          signal,
        })
      ).data,
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  });
  return (
    <Paper withBorder className="scope-tree">
      <Group p="sm" gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          label="Find files"
          size="sm"
          flex={1}
          value={words.text}
          onChange={(event) => words.set(event.currentTarget.value)}
        />
        {mayWrite && (
          <Button component={RouterLink} to="/configs/-/new" size="sm" px="sm" aria-label="New file">
            <Icon name="plus" size={16} />
          </Button>
        )}
      </Group>
      <ScrollArea.Autosize
        mah="calc(100dvh - 240px)"
        type="auto"
        viewportProps={{ tabIndex: 0, "aria-label": "Configuration files", role: "region" }}
      >
        <QueryState query={found}>
          {({ items, total }) => {
            const branches = branchesOf(items);
            return (
              <>
                {SCOPES.map((scope) => (
                  <div key={scope}>
                    <Text size="xs" fw={600} c="dimmed" px="sm" pt="xs">
                      {SCOPE_LABELS[scope]}
                    </Text>
                    {(branches.get(scope) ?? []).map((branch) => (
                      <BranchLinks key={branch.place.target} branch={branch} current={current} words={words.settled} />
                    ))}
                    {(branches.get(scope) ?? []).length === 0 && (
                      <Text size="sm" c="dimmed" px="sm">
                        none
                      </Text>
                    )}
                  </div>
                ))}
                {total > items.length && (
                  <Text size="sm" p="sm">
                    {total - items.length} more. Search by name to find them.
                  </Text>
                )}
              </>
            );
          }}
        </QueryState>
      </ScrollArea.Autosize>
    </Paper>
  );
});

interface BranchLinksProps {
  branch: Branch;
  current: string | undefined;
  /** The search text: the tree does not change when one of its files is opened. */
  words: string;
}

function BranchLinks({ branch, current, words }: BranchLinksProps) {
  const files = branch.files.map((config) => (
    <NavLink
      key={config.id}
      component={RouterLink}
      to={pathOf("configs", config.id)}
      {...(words ? { search: { q: words } } : {})}
      label={config.file}
      active={config.id === current}
      aria-current={config.id === current ? "page" : undefined}
      py={4}
    />
  ));
  if (branch.place.scope === "base") return files;
  return (
    <NavLink
      label={branch.place.target}
      defaultOpened={branch.files.some((config) => config.id === current) || branch.files.length < 3}
      py={4}
      childrenOffset={20}
    >
      {files}
    </NavLink>
  );
}
