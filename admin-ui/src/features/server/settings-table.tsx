/** The effective value of every setting of the manager, and its source. */

import { Code, Group, Paper, Switch, Table, Text, TextInput, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { SettingInForce } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { useAddressWord } from "../../ui/list/address-word";
import { useListSearch } from "../../ui/list/list-search";
import { directionOf, SortButton } from "../../ui/list/sort-button";

const SOURCES: Readonly<Record<string, { label: string; color: string }>> = {
  default: { label: "default", color: "gray" },
  "configuration file": { label: "configuration file", color: "green" },
  "configuration object": { label: "program that started the server", color: "green" },
  variable: { label: "environment variable", color: "rostrum" },
  "file named by": { label: "file named in a variable", color: "rostrum" },
  argument: { label: "command-line option", color: "orange" },
};

export function SettingsTable({ settings }: { settings: readonly SettingInForce[] }) {
  const words = useAddressWord("q");
  const search = useListSearch();
  const onlySet = search.filters.set === "true";
  const chosen = settings.filter((each) => matches(each, words.settled) && !(onlySet && each.origin === "default"));
  const shown = sorted(chosen, search.sort);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-end" mb="xs">
        <Title order={2} size="h5">
          Effective settings
        </Title>
        <Group align="flex-end">
          <Switch
            label="Show only settings that are set explicitly"
            checked={onlySet}
            onChange={(event) => search.set({ set: event.currentTarget.checked ? "true" : "" })}
            pb={6}
          />
          <TextInput
            label="Find settings"
            value={words.text}
            onChange={(event) => words.set(event.currentTarget.value)}
            w={240}
          />
        </Group>
      </Group>
      <Table.ScrollContainer minWidth={760} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label="Effective settings" verticalSpacing={6} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="30%" aria-sort={directionOf(search, "setting")}>
                <SortButton field="setting" search={search}>
                  Setting / environment variable
                </SortButton>
              </Table.Th>
              <Table.Th w="22%">Value</Table.Th>
              <Table.Th w="18%" aria-sort={directionOf(search, "from")}>
                <SortButton field="from" search={search}>
                  Source
                </SortButton>
              </Table.Th>
              <Table.Th>Description</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((setting) => (
              <tr key={setting.property}>
                <td className="breaks">
                  <Text size="sm" fw={600}>
                    {setting.property}
                  </Text>
                  <Text size="xs" c="dimmed" className="mono">
                    {setting.variable}
                  </Text>
                </td>
                <td className="breaks mono">{setting.display || "–"}</td>
                <td className="breaks">
                  <Label color={SOURCES[setting.origin]?.color ?? "green"}>
                    {SOURCES[setting.origin]?.label ?? setting.origin}
                  </Label>
                  {setting.originName && (
                    <Text size="xs" c="dimmed">
                      {setting.originName}
                    </Text>
                  )}
                </td>
                <td className="breaks">{withCode(setting.meaning)}</td>
              </tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown.length === 0 && <Text c="dimmed">No settings match.</Text>}
    </Paper>
  );
}

/** Text between backticks is the name or the value of a setting. */
function withCode(text: string): ReactNode[] {
  return [...text.matchAll(/`([^`]+)`|[^`]+/g)].map(({ 0: plain, 1: code, index }) =>
    code === undefined ? plain : <Code key={index}>{code}</Code>,
  );
}

function matches(setting: SettingInForce, words: string): boolean {
  const text = [setting.property, setting.variable, setting.display, setting.meaning.replaceAll("`", "")]
    .join(" ")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** All settings are in one response, so the page sorts them itself. */
export function sorted(settings: readonly SettingInForce[], sort: string): readonly SettingInForce[] {
  if (!sort) return settings;
  const word = (setting: SettingInForce) => (sort.endsWith("from") ? setting.origin : setting.property);
  const upwards = settings.toSorted((one, other) => word(one).localeCompare(word(other)));
  return sort.startsWith("-") ? upwards.reverse() : upwards;
}
