/** The form of a configuration file: its settings by section, with search and filters. */

import { Accordion, Alert, Button, Group, List, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { ConfigView, ExplainedValue } from "../../../api/generated/client";
import { isSame, valueAt } from "../../../ui/document/changes";
import { Icon } from "../../../ui/icons";
import type { EditorProblem } from "../../../ui/json-editor/problem-path";
import type { Schema } from "../../../ui/json-editor/schema/schema";
import { Label } from "../../../ui/labels";
import type { TypedWord } from "../../../ui/list/address-word";
import { type Search, useSetSearch } from "../../../ui/list/list-search";
import { NameInput } from "../../../ui/suggest-input";
import { useUserNames } from "../../users/user-names";
import { type Place, placeOf } from "../scope";
import {
  bySetting,
  type FormSection,
  matches,
  type SettingField,
  type SettingsDocument,
  stepsOf,
  wordsIn,
} from "./catalogue";
import { rowId, type SettingEdit, SettingRow } from "./setting-row";
import type { OtherValue } from "./setting-sources";
import { subjectText, useDraftExplanation, useSameFiles } from "./use-draft-explanation";

const FILTERS = [
  { value: "", label: "All" },
  { value: "here", label: "Set here" },
  { value: "anywhere", label: "Set anywhere" },
  { value: "changed", label: "Not default" },
];
/** The number of settings of a section that are shown at first. */
const FIRST = 40;
const NONE: readonly never[] = [];

interface SettingsFormProps {
  document: SettingsDocument;
  file: string;
  place: Place;
  contents: ConfigView["contents"];
  problems: readonly EditorProblem[] | undefined;
  schema: Schema | undefined;
  readOnly: boolean;
  edit: SettingEdit;
  /** The text of *Find settings*. */
  find: TypedWord;
}

export function SettingsForm(props: SettingsFormProps) {
  const { document, file, place, contents, problems, edit, find } = props;
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const users = useUserNames();
  const user = search.for ?? "";
  const target = search.setting ?? "";
  const fields = useMemo(() => document.sections.flatMap((section) => section.fields), [document]);
  const paths = useMemo(() => new Set(fields.map((field) => field.path)), [fields]);

  const { explanation, error } = useDraftExplanation(file, place, contents, user);
  const found = useMemo(() => bySetting(explanation?.items ?? NONE, paths).at, [explanation, paths]);
  const isApplied =
    explanation?.layers.some((layer) => layer.scope === place.scope && layer.target === place.target) ?? true;
  const { others, more } = useOthers(file, fields, place, explanation?.layers);
  const wrong = useMemo(() => bySetting(problems ?? NONE, paths), [problems, paths]);

  const own = (field: SettingField) => valueAt(contents, stepsOf(field.path));
  const only = FILTERS.some(({ value }) => value === search.only) ? (search.only ?? "") : "";
  const words = wordsIn(find.settled);
  const passes = (field: SettingField): boolean => {
    if (!matches(field, words)) return false;
    if (only === "here") return own(field) !== undefined;
    if (only === "anywhere") return own(field) !== undefined || found.has(field.path) || others.has(field.path);
    if (only === "changed") return isChanged(field, found.get(field.path) ?? NONE);
    return true;
  };
  const sections = document.sections
    .map((section) => ({ section, fields: section.fields.filter(passes) }))
    .filter((each) => each.fields.length > 0);
  const isNarrowed = words.length > 0 || only !== "";

  const [opened, setOpened] = useState<readonly string[]>(() => firstOpen(document.sections, contents));
  const home = document.sections.find((section) => section.fields.some((field) => field.path === target));
  const open = isNarrowed ? sections.map(({ section }) => keyOf(section)) : home ? [...opened, keyOf(home)] : opened;
  const isHidden = home !== undefined && !sections.some((each) => each.fields.some((field) => field.path === target));
  const reached = useRef("");
  useEffect(() => {
    // A link to a setting clears the filters; afterwards, the user may search for something else.
    if (reached.current === target) return;
    if (isHidden) {
      setSearch({ find: "", only: "" });
      return;
    }
    reached.current = target;
    if (target) goTo(target);
  }, [target, isHidden, setSearch]);

  const subject = subjectText({ user, place });
  const count = sections.reduce((sum, each) => sum + each.fields.length, 0);
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Find settings"
          placeholder="Name, path or description"
          leftSection={<Icon name="search" size={16} />}
          value={find.text}
          onChange={(event) => find.set(event.currentTarget.value)}
          flex={1}
          miw={200}
        />
        <NameInput
          label="Effective for user"
          placeholder={subjectText({ user: "", place })}
          value={user}
          onChange={(name) => setSearch({ for: name })}
          suggestions={users}
          width={220}
        />
      </Group>
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Settings to show"
          data={FILTERS}
          value={only}
          onChange={(value) => setSearch({ only: value, setting: "" })}
        />
        <Text size="sm" c="dimmed" role="status" aria-label="Settings found">
          {count === 1 ? "1 setting" : `${count} settings`}
        </Text>
      </Group>
      {!isApplied && (
        <Alert color="orange" variant="light" title={`This file does not apply to ${subject}`}>
          The effective values come from other files.
        </Alert>
      )}
      {error !== null && error !== undefined && !explanation && (
        <Text size="sm" c="dimmed">
          The manager could not determine which files set these settings.
        </Text>
      )}
      <Limits explained={explanation?.items.length ?? 0} unexplained={explanation?.more ?? 0} moreFiles={more} />
      {wrong.rest.length > 0 && <OtherProblems problems={wrong.rest} />}
      {target && !home && <Text size="sm">{`${target} is not a setting of ${file}.`}</Text>}
      {sections.length === 0 && <Text c="dimmed">No setting matches.</Text>}
      <Accordion
        multiple
        variant="contained"
        order={2}
        transitionDuration={0}
        value={[...open]}
        onChange={(next) => {
          if (isNarrowed) return;
          setOpened(next);
          if (target) setSearch({ setting: "" });
        }}
      >
        {sections.map(({ section, fields: shown }) => (
          <Accordion.Item key={keyOf(section)} value={keyOf(section)}>
            <Accordion.Control>
              <SectionHead section={section} setCount={shown.filter((field) => own(field) !== undefined).length} />
            </Accordion.Control>
            <Accordion.Panel>
              {open.includes(keyOf(section)) && (
                <Rows fields={shown} target={target}>
                  {(field) => (
                    <SettingRow
                      key={field.path}
                      field={field}
                      value={own(field)}
                      place={place}
                      subject={subject}
                      isApplied={isApplied}
                      found={found.get(field.path) ?? NONE}
                      others={others.get(field.path) ?? NONE}
                      problems={wrong.at.get(field.path) ?? NONE}
                      schema={props.schema}
                      readOnly={props.readOnly}
                      isTarget={field.path === target}
                      edit={edit}
                    />
                  )}
                </Rows>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}

/** Not rendered again with each key: a file has dozens of sections. */
const SectionHead = memo(({ section, setCount }: { section: FormSection; setCount: number }) => (
  <Group gap="sm" wrap="wrap">
    <Text fw={600} span>
      {section.label}
    </Text>
    <Text size="sm" c="dimmed" span>
      {section.text === `${section.label}.` ? "" : section.text}
    </Text>
    {setCount > 0 && <Label color="blue">{setCount} set here</Label>}
  </Group>
));

interface RowsProps {
  fields: readonly SettingField[];
  target: string;
  children: (field: SettingField) => React.ReactNode;
}

/** The first settings of a long section; the others on demand. */
function Rows({ fields, target, children }: RowsProps) {
  const [most, setMost] = useState(FIRST);
  const shown = Math.max(most, fields.findIndex((field) => field.path === target) + 1);
  return (
    <>
      {fields.slice(0, shown).map(children)}
      {fields.length > shown && (
        <Button variant="default" mt="sm" onClick={() => setMost(shown + FIRST)}>
          Show {Math.min(FIRST, fields.length - shown)} more
        </Button>
      )}
    </>
  );
}

interface LimitsProps {
  explained: number;
  unexplained: number;
  /** Files of the same name whose values are not shown. */
  moreFiles: number;
}

/** States which values and files are left out. */
function Limits({ explained, unexplained, moreFiles }: LimitsProps) {
  if (unexplained === 0 && moreFiles <= 0) return null;
  const files = moreFiles === 1 ? "1 more file" : `${moreFiles.toLocaleString("en")} more files`;
  return (
    <Alert color="orange" variant="light" role="status" title="Not all values are shown">
      {unexplained > 0 && (
        <Text size="sm">
          {`The effective configuration has ${(explained + unexplained).toLocaleString("en")} values. Their origin is shown for the first ${explained.toLocaleString("en")}.`}
        </Text>
      )}
      {moreFiles > 0 && (
        <Text size="sm">{`“Also set for” does not include ${files} with this name, for other users, groups or versions.`}</Text>
      )}
    </Alert>
  );
}

/** Problems in parts of the file that are not settings. */
function OtherProblems({ problems }: { problems: readonly EditorProblem[] }) {
  const setSearch = useSetSearch();
  return (
    <Alert color="orange" variant="light" title="Problems in parts of the file that the form does not show">
      <List size="sm">
        {problems.slice(0, 10).map(({ path, message }) => (
          <List.Item key={`${path} ${message}`} className="breaks">
            <strong>{path || "the file"}</strong>: {message}
          </List.Item>
        ))}
      </List>
      <Button size="xs" variant="default" mt="xs" onClick={() => setSearch({ view: "json", setting: "" })}>
        Open the JSON view
      </Button>
    </Alert>
  );
}

/** The values that other files of the same name set, without files that apply to the selected user or scope. */
function useOthers(
  file: string,
  fields: readonly SettingField[],
  place: Place,
  layers: readonly { readonly id: string }[] | undefined,
): { readonly others: ReadonlyMap<string, readonly OtherValue[]>; readonly more: number } {
  const { files, more } = useSameFiles(file);
  const others = useMemo(() => {
    const applied = new Set((layers ?? []).map((layer) => layer.id));
    const found = new Map<string, OtherValue[]>();
    for (const config of files) {
      const at = placeOf(config);
      if (applied.has(config.id) || (at.scope === place.scope && at.target === place.target)) continue;
      for (const { path } of fields) {
        const value = valueAt(config.contents, stepsOf(path));
        if (value !== undefined) found.set(path, [...(found.get(path) ?? []), { id: config.id, place: at, value }]);
      }
    }
    return found;
  }, [files, fields, layers, place.scope, place.target]);
  return { others, more };
}

function isChanged(field: SettingField, found: readonly ExplainedValue[]): boolean {
  return found.some(
    ({ path, value, status }) => status === "set" && !(path === field.path && isSame(value, field.default)),
  );
}

/** The name of a section; the section of settings outside all objects has an empty name. */
const keyOf = (section: FormSection): string => section.name || "general";

/** The sections with values, or the first one. */
function firstOpen(sections: readonly FormSection[], contents: unknown): string[] {
  const isUsed = (section: FormSection) =>
    section.fields.some((field) => valueAt(contents, stepsOf(field.path)) !== undefined);
  const used = sections.filter(isUsed).slice(0, 3);
  return (used.length > 0 ? used : sections.slice(0, 1)).map(keyOf);
}

function goTo(path: string): void {
  const row = window.document.getElementById(rowId(path));
  row?.scrollIntoView({ block: "center" });
  row?.focus({ preventScroll: true });
}
