/** Saves a definition as a file. */

import { Button } from "@mantine/core";
import { saveAs } from "../../api/client";
import { Icon } from "../icons";

export function ExportButton({ name, definition }: { name: string; definition: unknown }) {
  const save = () => saveAs(new Blob([JSON.stringify(definition, null, 2)]), `${name}.json`);
  return (
    <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={save}>
      Export
    </Button>
  );
}
