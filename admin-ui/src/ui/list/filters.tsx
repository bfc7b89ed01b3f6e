/** The line above a list: search text, filters, a reset button, and further actions. */

import { Box, Button, CloseButton, Group, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../icons";
import { SelectInput } from "../select-input";
import { useTypedWord } from "./address-word";
import type { Filter } from "./columns";
import type { ListSearch } from "./list-search";
import { dayOf, type Period, readPeriod, writePeriod } from "./period";

interface FiltersProps {
  filters: readonly Filter[];
  search: ListSearch;
  children?: ReactNode;
}

export function Filters({ filters, search, children }: FiltersProps) {
  const active = search.text !== "" || Object.keys(search.filters).length > 0;
  const clear = () =>
    search.set(Object.fromEntries(["q", "row", ...Object.keys(search.filters)].map((name) => [name, ""])));
  return (
    <Group gap="xs" align="flex-end" role="search">
      <TypedFilter
        label="Search"
        value={search.text}
        onChange={(text) => search.set({ q: text, row: "" })}
        icon={<Icon name="search" size={16} />}
        width={200}
      />
      {filters.map((filter) => (
        <OneFilter key={filter.name} filter={filter} search={search} />
      ))}
      {active && (
        <Button variant="subtle" size="sm" onClick={clear}>
          Clear
        </Button>
      )}
      {children && <Box ml="auto">{children}</Box>}
    </Group>
  );
}

function OneFilter({ filter, search }: { filter: Filter; search: ListSearch }) {
  const value = search.filters[filter.name] ?? "";
  const change = (text: string) => search.set({ [filter.name]: text, row: "" });
  if (filter.isPeriod) return <PeriodFilter label={filter.label} value={value} onChange={change} />;
  if (!filter.choices) return <TypedFilter label={filter.label} value={value} onChange={change} width={120} />;
  return (
    <SelectInput
      label={filter.label}
      placeholder="any"
      data={[...filter.choices]}
      value={value || null}
      onChange={(chosen) => change(chosen ?? "")}
      clearable
      clearButtonProps={{ "aria-label": `Clear ${filter.label}` }}
      w={112}
      size="sm"
    />
  );
}

interface PeriodFilterProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

function PeriodFilter({ label, value, onChange }: PeriodFilterProps) {
  const period = readPeriod(value);
  const day = (end: keyof Period, suffix: string) => (
    <TextInput
      type="date"
      label={`${label} ${suffix}`}
      value={dayOf(period[end])}
      onChange={(event) => onChange(writePeriod({ ...period, [end]: event.currentTarget.value }))}
      w={140}
      size="sm"
    />
  );
  return (
    <>
      {day("first", "from")}
      {day("last", "to")}
    </>
  );
}

interface TypedFilterProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  width: number;
  icon?: ReactNode;
}

function TypedFilter({ label, value, onChange, width, icon }: TypedFilterProps) {
  const { text, set } = useTypedWord(value, onChange);
  return (
    <TextInput
      label={label}
      value={text}
      leftSection={icon}
      onChange={(event) => set(event.currentTarget.value)}
      rightSection={text ? <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => onChange("")} /> : null}
      w={width}
      size="sm"
    />
  );
}
