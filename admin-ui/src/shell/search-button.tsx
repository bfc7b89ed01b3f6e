/** Opens the global search, and the list of keyboard shortcuts. */

import { Group, Kbd, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Suspense, useEffect, useEffectEvent } from "react";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { LoadProblem } from "../ui/parts/load-problem";
import { PartBoundary, part } from "../ui/parts/part";
import { ShortcutsDialog } from "./shortcuts-dialog";

const SearchDialog = part(() => import("./search-dialog").then((module) => module.SearchDialog));

export function SearchButton() {
  const [isOpen, dialog] = useDisclosure(false);
  const [isListed, shortcuts] = useDisclosure(false);
  useHotkeys([["/", dialog.open]]);
  // Also while a field or the editor has the focus.
  useHotkeys([["mod+K", dialog.open]], [], true);
  useQuestionMark(shortcuts.open);
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
            <Dialog opened onClose={dialog.close} title="Search everything" size="lg" yOffset="10vh">
              <LoadProblem what="The search" error={error} onLoaded={onLoaded} />
            </Dialog>
          )}
        >
          <Suspense>
            <SearchDialog onClose={dialog.close} onShortcuts={shortcuts.open} />
          </Suspense>
        </PartBoundary>
      )}
      {isListed && <ShortcutsDialog onClose={shortcuts.close} />}
    </>
  );
}

/** The keys for a question mark depend on the keyboard layout, so the character is compared. */
function useQuestionMark(open: () => void) {
  const act = useEffectEvent(open);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isTyping = target?.isContentEditable || target?.closest("input, textarea, select");
      if (event.key !== "?" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
