/** One name, chosen from suggestions that the server gives while the user types. */

import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useState } from "react";

export interface Suggestions {
  readonly queryKey: QueryKey;
  /** What is named, such as `group`. */
  readonly noun: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<string[]>;
  readonly exists: (name: string, signal: AbortSignal) => Promise<boolean>;
  /** What a name stands for that does not exist: saving creates it, or refers to something missing, or is refused. */
  readonly unknown: "create" | "refer" | "refuse";
  /** False without the right to read these names: they can be typed, but not suggested or verified. */
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

/** One name out of those the server knows. */
export function NameInput({ label, placeholder, value, onChange, suggestions, width }: NameInputProps) {
  const [text, setText] = useState(value);
  const { names: found } = useSuggestions(suggestions, text === value ? "" : text);
  const data = value && !found.includes(value) ? [value, ...found] : found;
  return (
    <Select
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

/** The suggestions for a text; they are current once they answer exactly this text. */
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
