/** The keyboard shortcuts of the admin UI. */

import { Kbd, Table } from "@mantine/core";
import { Dialog } from "../ui/dialog";

const SHORTCUTS: readonly (readonly [keys: readonly (readonly string[])[], effect: string])[] = [
  [[["Ctrl", "K"], ["/"]], "Search for pages, actions, documents, sessions and settings; Ctrl K also works in a field"],
  [[["?"]], "Show this list"],
  [[["Ctrl", "S"]], "Save the document"],
  [[["↑"], ["↓"], ["Enter"]], "In the search: move to a result and open it"],
  [[["Space"]], "In a list: select the row"],
  [[["Shift", "Space"]], "In a list: select all rows from the last selected row"],
  [[["Escape"]], "Close a dialog, or clear the selection of a list"],
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title="Keyboard shortcuts" size="lg" centered>
      <Table aria-label="Keyboard shortcuts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={170}>Keys</Table.Th>
            <Table.Th>Effect</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, effect]) => (
            <tr key={effect}>
              <td>
                {keys.map((one, index) => (
                  <span key={one.join(" ")}>
                    {index > 0 && " or "}
                    {one.map((key) => (
                      <Kbd key={key} mr={2}>
                        {key}
                      </Kbd>
                    ))}
                  </span>
                ))}
              </td>
              <td>{effect}</td>
            </tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
