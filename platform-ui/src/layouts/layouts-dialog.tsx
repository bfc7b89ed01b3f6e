/** Saves the selected workspace as a layout, and opens, deletes and selects layouts. */

import { Badge, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useClient } from "../../../admin-ui/src/api/context";
import { showDone, showError, showUndo } from "../../../admin-ui/src/ui/notices";
import { ErrorState } from "../../../admin-ui/src/ui/states/error-state";
import { windowsIn } from "../workspace/layout-format";
import type { Workbench } from "../workspace/workbench";
import { chooseDefault, LAYOUTS, removeLayout, saveLayout, useLayouts, type WorkspaceLayout } from "./queries";

export function LayoutsDialog({ workbench, onClose }: { workbench: Workbench; onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const found = useLayouts();
  const [name, setName] = useState(workbench.activeWorkspace.name);
  const [isBusy, setBusy] = useState(false);
  const first = found.data?.first ?? null;

  const act = async (work: () => Promise<unknown>, done: () => void) => {
    setBusy(true);
    try {
      await work();
      await queries.invalidateQueries({ queryKey: LAYOUTS });
      done();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const { id, dock } = workbench.activeWorkspace;
    const text = name.trim();
    void act(
      async () => {
        await saveLayout(client, text, dock.state);
        workbench.rename(id, text);
      },
      () => showDone(`Layout "${text}" was saved.`),
    );
  };
  const remove = ({ name: removed, state }: WorkspaceLayout) => {
    const wasFirst = first === removed;
    const undo = async () => {
      await saveLayout(client, removed, state);
      if (wasFirst) await chooseDefault(client, removed);
      await queries.invalidateQueries({ queryKey: LAYOUTS });
    };
    void act(
      () => removeLayout(client, removed),
      () => showUndo(`Layout "${removed}" was deleted.`, undo),
    );
  };
  const open = (layout: WorkspaceLayout) => {
    try {
      workbench.add(layout.name, layout.state);
      onClose();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Layouts" size="lg" yOffset="8vh">
      <Stack>
        <form onSubmit={save} aria-label="Save layout">
          <Group align="flex-end" wrap="nowrap">
            <TextInput
              className="grows"
              label="Name"
              description="Saves the visible workspace. Replaces your layout with the same name."
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={200}
              required
              withAsterisk={false}
              data-autofocus
            />
            <Button type="submit" loading={isBusy} disabled={name.trim() === ""}>
              Save
            </Button>
          </Group>
        </form>
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data?.layouts.length === 0 && <Text c="dimmed">No layouts of workspaces have been saved yet.</Text>}
        <ul className="plain-list layouts-list" aria-label="Saved layouts">
          {found.data?.layouts.map((layout) => (
            <li key={layout.name}>
              <div className="grows">
                <Text truncate>
                  {layout.name} {first === layout.name && <Badge variant="light">Default</Badge>}
                </Text>
                <Text size="xs" c="dimmed">
                  {windowsIn(layout.state).length} apps
                </Text>
              </div>
              <Button size="xs" aria-label={`Open ${layout.name}`} onClick={() => open(layout)}>
                Open
              </Button>
              <Button
                size="xs"
                variant="default"
                aria-label={first === layout.name ? `Clear default ${layout.name}` : `Make default ${layout.name}`}
                onClick={() => {
                  const next = first === layout.name ? null : layout.name;
                  const text = next ? `"${next}" opens when you open this page.` : "No default layout is selected.";
                  void act(
                    () => chooseDefault(client, next),
                    () => showDone(text),
                  );
                }}
              >
                {first === layout.name ? "Clear default" : "Make default"}
              </Button>
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={`Delete ${layout.name}`}
                onClick={() => remove(layout)}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      </Stack>
    </Modal>
  );
}
