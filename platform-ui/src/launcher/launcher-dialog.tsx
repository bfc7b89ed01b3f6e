/** Lists, searches and opens the user's apps; usable with the keyboard alone. */

import { Group, Modal, Text, TextInput } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useDeferredValue, useMemo, useState } from "react";
import { Icon } from "../../../admin-ui/src/ui/icons";
import { found, type Place, type WebApp } from "../apps/apps";

interface LauncherProps {
  apps: readonly WebApp[];
  onOpen: (app: WebApp, outside: boolean) => void;
  onClose: () => void;
}

const ROW = 52;
const PLACES: Record<Place, string> = { frame: "", window: "Opens in a window", tab: "Opens in a tab" };

export function LauncherDialog({ apps, onOpen, onClose }: LauncherProps) {
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const [list, setList] = useState<HTMLDivElement | null>(null);
  const words = useDeferredValue(search);
  const finds = useMemo(() => found(apps, words), [apps, words]);
  const chosen = Math.min(at, finds.length - 1);
  const rows = useVirtualizer({
    count: finds.length,
    getScrollElement: () => list,
    estimateSize: () => ROW,
    overscan: 6,
    getItemKey: (index) => finds[index]?.name ?? index,
  });

  const open = (app: WebApp | undefined, outside: boolean) => {
    if (!app) return;
    onClose();
    onOpen(app, outside);
  };
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(index, finds.length - 1));
    setAt(next);
    rows.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 7, PageUp: -7 };
    const step = steps[event.key];
    if (step) choose(chosen + step);
    else if (event.key === "Enter") open(finds[chosen], event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <Modal opened onClose={onClose} title="Open an app" size="lg" yOffset="8vh">
      <TextInput
        aria-label="Search apps"
        placeholder="Search apps"
        leftSection={<Icon name="search" size={16} />}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setAt(0);
          rows.scrollToOffset(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={finds.length > 0}
        aria-controls="launcher-apps"
        {...(finds[chosen] ? { "aria-activedescendant": `launcher-app-${chosen}` } : {})}
        data-autofocus
      />
      <div className="launcher-list" ref={setList} id="launcher-apps" role="listbox" aria-label="Apps">
        <div className="launcher-rows" style={{ height: rows.getTotalSize() }} role="presentation">
          {rows.getVirtualItems().map(({ index, start }) => (
            <Row
              key={finds[index]?.name ?? index}
              app={finds[index] as WebApp}
              index={index}
              count={finds.length}
              top={start}
              isChosen={index === chosen}
              onChoose={() => setAt(index)}
              onClick={(event) => open(finds[index], event.shiftKey)}
            />
          ))}
        </div>
      </div>
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {finds.length === 0 ? "No app matches." : `${finds.length} ${finds.length === 1 ? "app" : "apps"}`}
        {finds.length > 0 && ". Enter opens the selected app, Shift Enter opens it in a window."}
      </Text>
    </Modal>
  );
}

interface RowProps {
  app: WebApp;
  index: number;
  count: number;
  top: number;
  isChosen: boolean;
  onChoose: () => void;
  onClick: (event: MouseEvent) => void;
}

function Row({ app, index, count, top, isChosen, onChoose, onClick }: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search field, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
    <div
      id={`launcher-app-${index}`}
      role="option"
      aria-selected={isChosen}
      aria-setsize={count}
      aria-posinset={index + 1}
      className="launcher-row"
      style={{ transform: `translateY(${top}px)`, height: ROW }}
      onClick={onClick}
      onMouseMove={onChoose}
    >
      <Group gap="sm" wrap="nowrap">
        {app.icon ? (
          <img src={app.icon} alt="" width={24} height={24} loading="lazy" />
        ) : (
          <span className="app-icon-none" />
        )}
        <div className="launcher-texts">
          <Text truncate>{app.title}</Text>
          <Text size="xs" c="dimmed" truncate>
            {app.description || app.name}
          </Text>
        </div>
        {PLACES[app.place] && (
          <Text size="xs" c="dimmed" className="launcher-place">
            {PLACES[app.place]}
          </Text>
        )}
      </Group>
    </div>
  );
}
