/** A list of names, typed or chosen from suggestions that the server gives while typing. */

import { Select, TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useState } from "react";

export interface Suggestions {
  readonly queryKey: QueryKey;
  readonly find: (text: string, signal: AbortSignal) => Promise<string[]>;
  /** False where the caller may not look: names can still be typed. */
  readonly enabled: boolean;
}

interface NamesInputProps {
  label: string;
  description?: string;
  value: readonly string[];
  onChange: (names: string[]) => void;
  suggestions: Suggestions;
  disabled?: boolean;
}

export function NamesInput({ label, description, value, onChange, suggestions, disabled }: NamesInputProps) {
  const [text, setText] = useState("");
  return (
    <TagsInput
      label={label}
      description={description}
      value={[...value]}
      onChange={onChange}
      data={useSuggestions(suggestions, text)}
      searchValue={text}
      onSearchChange={setText}
      maxDropdownHeight={240}
      splitChars={[]}
      acceptValueOnBlur
      disabled={disabled ?? false}
      clearable={false}
    />
  );
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
  const found = useSuggestions(suggestions, text === value ? "" : text);
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
      nothingFoundMessage="Nobody of this name"
      filter={({ options }) => options}
      {...(width ? { w: width } : {})}
    />
  );
}

function useSuggestions(suggestions: Suggestions, text: string): string[] {
  const [wanted] = useDebouncedValue(text, 200);
  const found = useQuery({
    queryKey: [...suggestions.queryKey, "names", wanted],
    queryFn: ({ signal }) => suggestions.find(wanted, signal),
    enabled: suggestions.enabled,
    placeholderData: (before) => before,
  });
  return [...new Set(found.data ?? [])];
}
