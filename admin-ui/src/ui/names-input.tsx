/** A list of names. Enter accepts the highlighted suggestion; names that do not exist are added by a separate option. */

import { Combobox, Pill, PillsInput, useCombobox } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { type Suggestions, useSuggestions } from "./suggest-input";

interface NamesInputProps {
  label: string;
  description?: string;
  value: readonly string[];
  onChange: (names: string[]) => void;
  suggestions: Suggestions;
  disabled?: boolean;
  /** The manager's problem with the names. */
  error?: string | undefined;
}

/** Prefix of the option that adds a name that does not exist. */
const UNKNOWN = "unknown:";
const KNOWN = "known:";

export function NamesInput(props: NamesInputProps) {
  const { label, description, value, onChange, suggestions, disabled = false } = props;
  const errorId = useId();
  const [text, setText] = useState("");
  const [isPending, setPending] = useState(false);
  const [isRejected, setRejected] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { names, isCurrent } = useSuggestions(suggestions, text.trim());
  const missing = useMissing(suggestions, value);
  const name = text.trim();
  const exact = names.find((each) => each === name) ?? names.find((each) => each.toLowerCase() === name.toLowerCase());
  const offered = byCloseness(names, name).filter((each) => !value.includes(each));
  const isClose = offered[0] !== undefined && distance(offered[0], name) <= CLOSE;
  const isAllowed = suggestions.unknown !== "refuse" || !suggestions.enabled;
  const mayAddUnknown = name !== "" && isCurrent && exact !== name && isAllowed;
  const optionCount = offered.length + (mayAddUnknown ? 1 : 0);

  const add = (added: string) => {
    if (!value.includes(added)) onChange([...value, added]);
    setText("");
    setRejected(false);
    combobox.closeDropdown();
  };
  const addExact = () => {
    if (!isCurrent || !exact) return false;
    add(exact);
    return true;
  };
  // The options are created when the input has the focus for the first time; then the input refers to them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it acts once
  useEffect(() => {
    if (isUsed) combobox.openDropdown();
  }, [isUsed]);
  // A suggestion in which a word begins with the entered text is highlighted as soon as it arrives, so that Enter
  // accepts it. Others, and the option that adds a name that does not exist, are not highlighted automatically.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is new at each rendering, its parts are not
  useEffect(() => {
    if (name !== "" && isCurrent && isClose) combobox.selectFirstOption();
    else combobox.resetSelectedOption();
  }, [name, isCurrent, offered.join("\n")]);
  // After Enter before the suggestions arrived, only a name that equals the text, except for case, is accepted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it acts when the suggestions arrive
  useEffect(() => {
    if (!isPending || !isCurrent) return;
    setPending(false);
    addExact();
  }, [isPending, isCurrent]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Backspace" && text === "" && value.length > 0) onChange(value.slice(0, -1));
    if (event.key !== "Enter" || name === "" || combobox.getSelectedOptionIndex() >= 0) return;
    // Without a current suggestion there is nothing to accept yet, and the form must not be submitted.
    event.preventDefault();
    combobox.openDropdown();
    setPending(!isCurrent);
  };
  const onBlur = () => {
    combobox.closeDropdown();
    if (name !== "" && !addExact()) setRejected(true);
  };

  const rejection = `“${name}” has not been added. Select a suggestion, or clear the text.`;
  const error = isRejected && name !== "" ? rejection : props.error;
  return (
    <Combobox
      store={combobox}
      disabled={disabled}
      onOptionSubmit={(option) => add(option.slice(option.indexOf(":") + 1))}
      withinPortal
      keepMounted={isUsed}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          label={label}
          description={description}
          disabled={disabled}
          error={error}
          errorProps={{ id: errorId }}
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group>
            {value.map((each) => (
              <Pill
                key={each}
                withRemoveButton={!disabled}
                onRemove={() => onChange(value.filter((other) => other !== each))}
                removeButtonProps={{ "aria-label": `Remove ${each}`, "aria-hidden": false }}
                className={missing.has(each) ? "missing-name" : ""}
              >
                {missing.has(each) ? `${each} (${suggestions.unknown === "create" ? "new" : "does not exist"})` : each}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                aria-label={label}
                {...(error ? { "aria-invalid": true, "aria-describedby": errorId } : {})}
                value={text}
                disabled={disabled}
                onFocus={() => (isUsed ? combobox.openDropdown() : setUsed(true))}
                onBlur={onBlur}
                onChange={(event) => {
                  setText(event.currentTarget.value);
                  setPending(false);
                  setRejected(false);
                  combobox.openDropdown();
                }}
                onKeyDown={onKeyDown}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={optionCount === 0 && (name === "" || !isCurrent)}>
        <Combobox.Options mah={240} style={{ overflowY: "auto" }} aria-label={label}>
          {offered.map((each) => (
            <Combobox.Option key={each} value={KNOWN + each}>
              {each}
            </Combobox.Option>
          ))}
          {mayAddUnknown && <Combobox.Option value={UNKNOWN + name}>{addLabel(suggestions, name)}</Combobox.Option>}
          {optionCount === 0 && <Combobox.Empty>{emptyText(suggestions, exact)}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const CLOSE = 2;

/** Return 0 if a name equals a text, 1 if it begins with it, 2 if one of its words does, otherwise 3. */
export function distance(name: string, text: string): number {
  const [lower, wanted] = [name.toLowerCase(), text.toLowerCase()];
  if (lower === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  return lower.split(/[\s._@-]+/).some((word) => word.startsWith(wanted)) ? CLOSE : CLOSE + 1;
}

function byCloseness(names: readonly string[], text: string): string[] {
  return [...names].sort((one, other) => distance(one, text) - distance(other, text));
}

function addLabel({ enabled, noun, unknown }: Suggestions, name: string): string {
  if (!enabled) return `Add “${name}”`;
  if (unknown === "create") return `Create ${noun} “${name}”`;
  return `Add “${name}” (no ${noun} with this name exists)`;
}

function emptyText({ noun }: Suggestions, exact: string | undefined): string {
  return exact ? `“${exact}” is already in the list.` : `No ${noun} matches.`;
}

/** The names that do not exist. */
function useMissing(suggestions: Suggestions, names: readonly string[]): ReadonlySet<string> {
  const results = useQueries({
    queries: names.map((name) => ({
      queryKey: [...suggestions.queryKey, "exists", name],
      queryFn: ({ signal }: { signal: AbortSignal }) => suggestions.exists(name, signal),
      enabled: suggestions.enabled,
      staleTime: 30_000,
    })),
  });
  return new Set(names.filter((_, index) => results[index]?.data === false));
}
