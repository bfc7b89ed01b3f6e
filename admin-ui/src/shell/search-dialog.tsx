/** Finds pages, actions and documents by name, usable with the keyboard alone. */

import { Text, TextInput, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { useChangeRules } from "../api/change-rules";
import { useClient, useMe, useSession } from "../api/context";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { showError } from "../ui/notices";
import { offers, sectionsFor } from "./navigation";
import { actionsFor, type PaletteRun } from "./palette-actions";
import { type Find, SOURCES } from "./search-sources";

interface SearchDialogProps {
  onClose: () => void;
  onShortcuts: () => void;
}

export function SearchDialog({ onClose, onShortcuts }: SearchDialogProps) {
  const navigate = useNavigate();
  const client = useClient();
  const session = useSession();
  const { toggleColorScheme } = useMantineColorScheme();
  const runs: Record<PaletteRun, () => void> = {
    openReference: () => window.open(client.reference, "_blank", "noopener"),
    signOut: () => void session.logOut().catch(showError),
    switchColours: toggleColorScheme,
    showShortcuts: onShortcuts,
  };
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const finds = useFinds(words);
  const chosen = Math.min(at, finds.length - 1);
  const go = (find: Find | undefined) => {
    if (!find) return;
    onClose();
    if (find.run) runs[find.run]();
    else void navigate({ to: find.to ?? "/", search: find.search ?? {} });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(chosen + 1, finds.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") go(finds[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog opened onClose={onClose} title="Search everything" size="lg" yOffset="10vh">
      <TextInput
        aria-label="Search for"
        placeholder="A page, an action, a user, an app, a session, a setting…"
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
      <div id="search-finds" role="listbox" aria-label="Found" className="finds">
        {finds.map((find, index) => (
          // Plain elements: all options are rendered again with each key.
          <button
            key={`${find.note} ${find.label} ${find.to ?? ""}`}
            id={`find-${index}`}
            type="button"
            role="option"
            aria-selected={index === chosen}
            className="find"
            tabIndex={-1}
            onClick={() => go(find)}
            onMouseMove={() => setAt(index)}
          >
            <Icon name={find.icon} />
            <span className="find-label">{find.label}</span>
            <span className="find-note">{find.note}</span>
          </button>
        ))}
      </div>
      {finds.length === 0 && (
        <Text c="dimmed" role="status">
          No results.
        </Text>
      )}
    </Dialog>
  );
}

function useFinds(words: string): Find[] {
  const client = useClient();
  const me = useMe();
  const hasProposals = useChangeRules().approvalKinds.length > 0;
  const here = useLocation({ select: (location) => location.pathname });
  const [text] = useDebouncedValue(words.trim(), 150);
  const found = useQuery({
    queryKey: ["search", text, here],
    queryFn: async ({ signal }) => {
      const sources = SOURCES.filter((source) => offers(me, source.needs));
      const lists = await Promise.all(sources.map((source) => source.find(client, text, signal, here)));
      return lists.flat();
    },
    enabled: text !== "",
    placeholderData: (before) => before,
  });
  const low = words.trim().toLowerCase();
  const isOld = found.isPlaceholderData || text !== words.trim();
  // Results of the previous text stay visible only if they match the current text.
  const finds = (found.data ?? []).filter((find) => !isOld || `${find.label} ${find.note}`.toLowerCase().includes(low));
  const pages = sectionsFor(me, hasProposals).flatMap((section) =>
    section.pages
      .filter((page) => page.label.toLowerCase().includes(low))
      .map((page): Find => ({ label: page.label, note: "Page", to: page.path, icon: page.icon })),
  );
  pages.sort((one, other) => Number(begins(other, low)) - Number(begins(one, low)));
  const actions = actionsFor(me, low).map((action): Find => ({ ...action, note: "Action" }));
  // Immediate results come first, so that nothing moves when the others arrive.
  return low === "" ? [...pages, ...actions] : [...pages, ...actions, ...finds];
}

const begins = (find: Find, words: string): boolean => find.label.toLowerCase().startsWith(words);
