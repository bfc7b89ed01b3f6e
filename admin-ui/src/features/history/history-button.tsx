/** Opens the history of a document. */

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import { SidePanel } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { type Search, useSetSearch } from "../../ui/list/list-search";
import { HistoryPanel, type HistoryPanelProps } from "./history-panel";

export function HistoryButton<Draft>(props: Omit<HistoryPanelProps<Draft>, "onDone" | "initial">) {
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const [isOpen, drawer] = useDisclosure(Boolean(search.history), {
    onClose: () => search.history && setSearch({ history: "" }),
  });
  return (
    <>
      <Button variant="default" leftSection={<Icon name="history" size={16} />} onClick={drawer.open}>
        History
      </Button>
      <SidePanel opened={isOpen} onClose={drawer.close} position="right" size="xl" title="History">
        <HistoryPanel {...props} initial={readRevision(search.history)} onDone={drawer.close} />
      </SidePanel>
    </>
  );
}

/** The revision in the address, to which other pages link. */
function readRevision(text: string | undefined): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
