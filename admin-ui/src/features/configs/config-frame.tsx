/** The tree of scopes beside the open page. */

import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { ScopeTree } from "./scope-tree";

export function ConfigFrame({ current, children }: { current?: string; children: ReactNode }) {
  return (
    <Group align="flex-start" gap="md" wrap="nowrap" className="config-frame">
      <Box className="config-side">
        <ScopeTree current={current} />
      </Box>
      <Box flex={1} miw={0}>
        {children}
      </Box>
    </Group>
  );
}
