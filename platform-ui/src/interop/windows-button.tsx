/** The apps in windows and tabs of the browser: brings one to the front, and selects its channel. */

import { Button, Group, NativeSelect, Popover, Stack } from "@mantine/core";
import { useSyncExternalStore } from "react";
import type { Workbench } from "../workspace/workbench";
import type { Interop } from "./interop";

export function WindowsButton({ interop, workbench }: { interop: Interop; workbench: Workbench }) {
  const { windows } = useSyncExternalStore(workbench.subscribe, workbench.current);
  const { channels, instances, isConnected } = useSyncExternalStore(interop.subscribe, interop.current);
  if (windows.length === 0) return null;
  return (
    <Popover position="bottom-end" width={360} trapFocus withinPortal>
      <Popover.Target>
        <Button size="xs" variant="default">
          {windows.length === 1 ? "1 window" : `${windows.length} windows`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Windows">
        <Stack gap="xs">
          {windows.map(({ id, app }) => (
            <Group key={id} justify="space-between" wrap="nowrap">
              <Button size="compact-sm" variant="subtle" onClick={() => workbench.show(id)}>
                {app.title}
              </Button>
              {instances.has(id) && (
                <NativeSelect
                  size="xs"
                  aria-label={`Channel of ${app.title}`}
                  disabled={!isConnected}
                  value={instances.get(id) ?? ""}
                  onChange={(event) => interop.selectChannel(id, event.currentTarget.value || null)}
                  data={[
                    { value: "", label: "No channel" },
                    ...channels.map((each) => ({ value: each.id, label: each.name })),
                  ]}
                />
              )}
            </Group>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
