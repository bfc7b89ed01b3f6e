/** Opens the search over everything. */

import { Group, Kbd, Modal, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Suspense } from "react";
import { Icon } from "../ui/icons";
import { LoadProblem } from "../ui/parts/load-problem";
import { PartBoundary, part } from "../ui/parts/part";

const SearchDialog = part(() => import("./search-dialog").then((module) => module.SearchDialog));

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
        <PartBoundary
          failed={(error, onLoaded) => (
            <Modal opened onClose={dialog.close} title="Search everything" size="lg" yOffset="10vh">
              <LoadProblem what="The search" error={error} onLoaded={onLoaded} />
            </Modal>
          )}
        >
          <Suspense>
            <SearchDialog onClose={dialog.close} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
}
