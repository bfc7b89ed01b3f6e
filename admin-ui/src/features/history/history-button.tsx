/** Opens the history of a document. */

import { Button, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Icon } from "../../ui/icons";
import { HistoryPanel, type HistoryPanelProps } from "./history-panel";

export function HistoryButton<Draft>(props: Omit<HistoryPanelProps<Draft>, "onDone">) {
  const [isOpen, drawer] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="history" size={16} />} onClick={drawer.open}>
        History
      </Button>
      <Drawer opened={isOpen} onClose={drawer.close} position="right" size="xl" title="History">
        <HistoryPanel {...props} onDone={drawer.close} />
      </Drawer>
    </>
  );
}
