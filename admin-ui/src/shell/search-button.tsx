/** Opens the search over everything. */

import { Group, Kbd, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { Icon } from "../ui/icons";

const SearchDialog = lazy(() => import("./search-dialog").then((module) => ({ default: module.SearchDialog })));

export function SearchButton() {
  const [isOpen, dialog] = useDisclosure(false);
  useHotkeys([
    ["mod+K", dialog.open],
    ["/", dialog.open],
  ]);
  return (
    <>
      <UnstyledButton className="search-button" onClick={dialog.open} aria-keyshortcuts="Control+K">
        <Group gap="xs" wrap="nowrap">
          <Icon name="search" size={16} />
          <Text size="sm" c="dimmed" visibleFrom="xs">
            Search
          </Text>
          <VisuallyHidden hiddenFrom="xs">Search</VisuallyHidden>
          <Kbd size="xs" visibleFrom="md">
            Ctrl K
          </Kbd>
        </Group>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}
