/** A name, chosen from suggestions of the server. */

import { useDebouncedValue } from "@mantine/hooks";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SelectInput } from "./select-input";

export interface Suggestions {
  readonly queryKey: QueryKey;
  /** The kind of name, such as `group`. */
  readonly noun: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<string[]>;
  readonly exists: (name: string, signal: AbortSignal) => Promise<boolean>;
  /** The effect of a name that does not exist: saving creates it, refers to something missing, or is rejected. */
  readonly unknown: "create" | "refer" | "refuse";
  /** False without the permission to read these names: they can be entered, but not suggested or verified. */
  readonly enabled: boolean;
}

interface NameInputProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (name: string) => void;
  suggestions: Suggestions;
  width?: number;
}

/** A name that exists on the server. */
export function NameInput({ label, placeholder, value, onChange, suggestions, width }: NameInputProps) {
  const [text, setText] = useState(value);
  const { names: found } = useSuggestions(suggestions, text === value ? "" : text);
  const data = value && !found.includes(value) ? [value, ...found] : found;
  return (
    <SelectInput
      label={label}
      {...(placeholder ? { placeholder } : {})}
      data={data}
      value={value || null}
      onChange={(name) => onChange(name ?? "")}
      searchable
      searchValue={text}
      onSearchChange={setText}
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      nothingFoundMessage={`No ${suggestions.noun} matches.`}
      filter={({ options }) => options}
      {...(width ? { w: width } : {})}
    />
  );
}

/** The suggestions for a text; they are current when they match exactly this text. */
export function useSuggestions(suggestions: Suggestions, text: string): { names: string[]; isCurrent: boolean } {
  const [wanted] = useDebouncedValue(text, 200);
  const found = useQuery({
    queryKey: [...suggestions.queryKey, "names", wanted],
    queryFn: ({ signal }) => suggestions.find(wanted, signal),
    enabled: suggestions.enabled,
    placeholderData: (before) => before,
  });
  const isCurrent = !suggestions.enabled || (wanted === text && found.isSuccess && !found.isPlaceholderData);
  return { names: [...new Set(found.data ?? [])], isCurrent };
}
