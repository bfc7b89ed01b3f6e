/** Every setting of the manager as it counts now, and where it was set. */

import { Group, Paper, Switch, Table, Text, TextInput, Title } from "@mantine/core";
import type { SettingInForce } from "../../api/generated/client";
import { Label } from "../../ui/labels";
import { useAddressWord } from "../../ui/list/address-word";
import { useListSearch } from "../../ui/list/list-search";
import { directionOf, SortButton } from "../../ui/list/sort-button";

const COLOURS: Readonly<Record<string, string>> = {
  default: "gray",
  variable: "rostrum",
  file: "rostrum",
  argument: "orange",
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
            label="Only configured settings"
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
                  Setting
                </SortButton>
              </Table.Th>
              <Table.Th w="22%">Value</Table.Th>
              <Table.Th w="18%" aria-sort={directionOf(search, "from")}>
                <SortButton field="from" search={search}>
                  Origin
                </SortButton>
              </Table.Th>
              <Table.Th>Description</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((setting) => (
              <Table.Tr key={setting.property}>
                <Table.Td className="breaks">
                  <Text size="sm" fw={600}>
                    {setting.property}
                  </Text>
                  <Text size="xs" c="dimmed" className="mono">
                    {setting.variable}
                  </Text>
                </Table.Td>
                <Table.Td className="breaks mono">{setting.value || "–"}</Table.Td>
                <Table.Td className="breaks">
                  <Label color={COLOURS[setting.origin] ?? "green"}>{setting.origin}</Label>
                  {setting.originName && (
                    <Text size="xs" c="dimmed">
                      {setting.originName}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className="breaks">{setting.meaning.replaceAll("`", "")}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown.length === 0 && <Text c="dimmed">No setting matches.</Text>}
    </Paper>
  );
}

function matches(setting: SettingInForce, words: string): boolean {
  const text = [setting.property, setting.variable, setting.value, setting.meaning].join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** All of them come in one answer, so the page puts them in order itself. */
export function sorted(settings: readonly SettingInForce[], sort: string): readonly SettingInForce[] {
  if (!sort) return settings;
  const word = (setting: SettingInForce) => (sort.endsWith("from") ? setting.origin : setting.property);
  const upwards = settings.toSorted((one, other) => word(one).localeCompare(word(other)));
  return sort.startsWith("-") ? upwards.reverse() : upwards;
}
