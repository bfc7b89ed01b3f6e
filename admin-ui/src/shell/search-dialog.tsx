/** Finds anything by its name, with the keyboard alone. */

import { Group, Modal, ScrollArea, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { may, useClient, useMe } from "../api/context";
import { Icon } from "../ui/icons";
import { sectionsFor } from "./navigation";
import { type Find, SOURCES } from "./search-sources";

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const finds = useFinds(words);
  const chosen = Math.min(at, finds.length - 1);
  const go = (find: Find | undefined) => {
    if (!find) return;
    onClose();
    void navigate({ to: find.to });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(chosen + 1, finds.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") go(finds[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal opened onClose={onClose} title="Search everything" size="lg" yOffset="10vh">
      <TextInput
        aria-label="Search for"
        placeholder="A user, an app, a group, a layout, a file, a machine or a page"
        leftSection={<Icon name="search" size={16} />}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={finds.length > 0}
        aria-controls="search-finds"
        {...(finds[chosen] ? { "aria-activedescendant": `find-${chosen}` } : {})}
        data-autofocus
      />
      <ScrollArea.Autosize mah="50vh" mt="sm">
        <div id="search-finds" role="listbox" aria-label="Found">
          {finds.map((find, index) => (
            <UnstyledButton
              key={find.to}
              id={`find-${index}`}
              role="option"
              aria-selected={index === chosen}
              className="find"
              tabIndex={-1}
              onClick={() => go(find)}
              onMouseMove={() => setAt(index)}
            >
              <Group gap="sm" wrap="nowrap">
                <Icon name={find.icon} />
                <Text truncate>{find.label}</Text>
                <Text size="sm" c="dimmed" truncate>
                  {find.note}
                </Text>
              </Group>
            </UnstyledButton>
          ))}
        </div>
        {finds.length === 0 && (
          <Text c="dimmed" role="status">
            No results.
          </Text>
        )}
      </ScrollArea.Autosize>
    </Modal>
  );
}

function useFinds(words: string): Find[] {
  const client = useClient();
  const me = useMe();
  const [text] = useDebouncedValue(words.trim(), 150);
  const found = useQuery({
    queryKey: ["search", text],
    queryFn: async ({ signal }) => {
      const sources = SOURCES.filter((source) => may(me, source.needs, "READ"));
      const lists = await Promise.all(sources.map((source) => source.find(client, text, signal)));
      return lists.flat();
    },
    enabled: text !== "",
    placeholderData: (before) => before,
  });
  const low = words.trim().toLowerCase();
  const isOld = found.isPlaceholderData || text !== words.trim();
  // What was found for the words before stays in sight only as far as it fits the words now.
  const finds = (found.data ?? []).filter((find) => !isOld || `${find.label} ${find.note}`.toLowerCase().includes(low));
  const pages = sectionsFor(me).flatMap((section) =>
    section.pages
      .filter((page) => page.label.toLowerCase().includes(low))
      .map((page): Find => ({ label: page.label, note: "Page", to: page.path, icon: page.icon })),
  );
  return low === "" ? pages : [...finds, ...pages];
}
