/** Opens the history of a document: what it was, what differs, and a way back. */

import { Button, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Icon } from "../../ui/icons";
import { HistoryPanel, type HistorySource } from "./history-panel";

interface HistoryButtonProps<Draft> {
  source: HistorySource<Draft>;
  /** What the page shows now. */
  current: Draft;
  /** Puts an older version into the page, to be saved there; not for those who may only read. */
  onUse?: ((draft: Draft) => void) | undefined;
}

export function HistoryButton<Draft>({ source, current, onUse }: HistoryButtonProps<Draft>) {
  const [isOpen, drawer] = useDisclosure(false);
  const use = (draft: Draft) => {
    onUse?.(draft);
    drawer.close();
  };
  return (
    <>
      <Button variant="default" leftSection={<Icon name="history" size={16} />} onClick={drawer.open}>
        History
      </Button>
      <Drawer opened={isOpen} onClose={drawer.close} position="right" size="xl" title="History">
        <HistoryPanel source={source} current={current} onUse={onUse ? use : undefined} />
      </Drawer>
    </>
  );
}
