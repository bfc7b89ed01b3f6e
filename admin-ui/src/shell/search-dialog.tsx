/** Finds anything by its name. */

import { Modal } from "@mantine/core";

export function SearchDialog({ onClose }: { onClose: () => void }) {
  return <Modal opened onClose={onClose} title="Search" />;
}
