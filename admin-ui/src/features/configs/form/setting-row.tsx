/** One setting: description, control, facts, problems, and the files that set it. */

import { Button, Code, Group, Text } from "@mantine/core";
import { memo, useEffect, useState } from "react";
import type { ExplainedValue } from "../../../api/generated/client";
import { isSame } from "../../../ui/document/changes";
import { ValueText } from "../../../ui/document/value-text";
import { DottedPath } from "../../../ui/dotted-path";
import { JsonField } from "../../../ui/json-editor/json-field";
import type { EditorProblem } from "../../../ui/json-editor/problem-path";
import { type Schema, type Step, schemasAt, starterOf } from "../../../ui/json-editor/schema/schema";
import { Label } from "../../../ui/labels";
import type { Place } from "../scope";
import { problemText, type SettingField, shows, stepsOf } from "./catalogue";
import { ValueControl } from "./controls";
import { ItemsControl, MapControl } from "./row-controls";
import { type OtherValue, SettingSources } from "./setting-sources";

export interface SettingEdit {
  readonly set: (path: readonly Step[], value: unknown) => void;
  readonly remove: (path: readonly Step[]) => void;
  /** Receives the problem of a JSON text inside the form, or null. */
  readonly onProblem: (path: string, problem: string | null) => void;
}

interface SettingRowProps {
  field: SettingField;
  /** The value in this file; undefined if it is not set here. */
  value: unknown;
  place: Place;
  subject: string;
  isApplied: boolean;
  found: readonly ExplainedValue[];
  others: readonly OtherValue[];
  problems: readonly EditorProblem[];
  schema: Schema | undefined;
  readOnly: boolean;
  isTarget: boolean;
  edit: SettingEdit;
}

export const rowId = (path: string): string => `setting-${path}`;

export const SettingRow = memo(function SettingRow(props: SettingRowProps) {
  const { field, value, problems, readOnly, isTarget, edit } = props;
  const isSet = value !== undefined;
  const steps = stepsOf(field.path);
  return (
    <fieldset
      id={rowId(field.path)}
      aria-label={field.label}
      tabIndex={-1}
      className={["setting-row", isTarget && "setting-target", isWide(field, value) && "setting-wide"]
        .filter(Boolean)
        .join(" ")}
    >
      <div>
        <Group gap={6}>
          <Text fw={600} size="sm" component="span">
            {field.label}
          </Text>
          {isSet && <Label color="blue">set here</Label>}
        </Group>
        <Code className="breaks">
          <DottedPath path={field.path} />
        </Code>
        <Text size="sm">{field.text}</Text>
        <Text size="xs" c="dimmed">
          <Facts field={field} />
        </Text>
      </div>
      <div>
        <Editor {...props} />
        {problems.length > 0 && !hasOwnError(field, value) && (
          <Text size="sm" c="var(--mantine-color-error)" className="breaks">
            {problemText(problems, field.path)}
          </Text>
        )}
        {isSet && !readOnly && (
          <Button
            variant="subtle"
            size="compact-sm"
            mt={4}
            aria-label={`Remove ${field.label}`}
            onClick={() => edit.remove(steps)}
          >
            Remove
          </Button>
        )}
      </div>
      <SettingSources
        field={field}
        place={props.place}
        subject={props.subject}
        isSet={isSet}
        isApplied={props.isApplied}
        found={props.found}
        others={props.others}
      />
    </fieldset>
  );
}, areSame);

/** Values are compared by their contents, because each edit creates new objects. */
function areSame(before: SettingRowProps, after: SettingRowProps): boolean {
  return (Object.keys(after) as (keyof SettingRowProps)[]).every((name) =>
    name === "value" || name === "problems" || name === "others"
      ? isSame(before[name], after[name])
      : before[name] === after[name],
  );
}

/** Tables with rows need the whole width. */
function isWide(field: SettingField, value: unknown): boolean {
  return !field.localOnly && value !== undefined && (field.control === "items" || field.control === "map");
}

/** Whether the control of a setting shows its problems itself. */
function hasOwnError(field: SettingField, value: unknown): boolean {
  return !field.localOnly && field.control !== "json" && shows(field, value);
}

function Facts({ field }: { field: SettingField }) {
  const unit = field.unit ? ` ${field.unit}` : "";
  const bounds = [
    field.minimum !== undefined && `at least ${field.minimum}${unit}`,
    field.maximum !== undefined && `at most ${field.maximum}${unit}`,
  ];
  const facts = [
    field.required ? "required" : field.default === null ? "no default" : `default: ${text(field.default)}${unit}`,
    ...Object.entries(field.defaultByMode ?? {}).map(([mode, value]) => `in ${mode} mode: ${text(value)}${unit}`),
    ...bounds,
    ...(field.counts ?? []),
  ].filter(Boolean);
  return facts.join(" · ");
}

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function Editor(props: SettingRowProps) {
  const { field, value, found, problems, readOnly, edit } = props;
  const steps = stepsOf(field.path);
  if (field.localOnly) {
    return (
      <Text size="sm" c="dimmed">
        {value === undefined ? "" : <ValueText value={value} />} This setting can only be set in a local file of the
        desktop.
      </Text>
    );
  }
  if (field.control === "json" || !shows(field, value)) return <JsonMember {...props} />;
  const [first] = found;
  const control = {
    field,
    label: field.label,
    value,
    inherited: first && first.path === field.path && first.status === "set" ? first.value : field.default,
    onSet: (next: unknown) => edit.set(steps, next),
    onRemove: () => edit.remove(steps),
    onSetInside: (path: readonly Step[], next: unknown) => edit.set([...steps, ...path], next),
    onRemoveInside: (path: readonly Step[]) => edit.remove([...steps, ...path]),
    readOnly,
    error: problems.length > 0 ? problemText(problems, field.path) : null,
  };
  if (field.control === "map") return <MapControl {...control} />;
  if (field.control === "items") return <ItemsControl {...control} />;
  return <ValueControl {...control} />;
}

/** A value without a control for its type: shown as text, and edited as JSON. */
function JsonMember({ field, value, schema, readOnly, edit, problems }: SettingRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { onProblem } = edit;
  const steps = stepsOf(field.path);
  const inner = schema && schemasAt(schema, steps)[0];
  useEffect(() => () => onProblem(field.path, null), [field.path, onProblem]);
  if (!isOpen) {
    return (
      <>
        {value !== undefined && <ValueText value={value} />}{" "}
        {!readOnly && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)} aria-label={`Edit as JSON: ${field.label}`}>
            Edit as JSON
          </Button>
        )}
      </>
    );
  }
  return (
    <div className="setting-json">
      <JsonField
        label={`${field.label} as JSON`}
        value={value === undefined ? starter(inner) : value}
        exact
        schema={inner}
        onChange={(next) => edit.set(steps, next)}
        onProblem={(problem) => onProblem(field.path, problem)}
        {...(problems.length > 0 ? { problems: inside(problems, field.path) } : {})}
      />
      <Button
        variant="default"
        size="xs"
        onClick={() => {
          onProblem(field.path, null);
          setOpen(false);
        }}
      >
        Close the editor
      </Button>
    </div>
  );
}

function starter(schema: Schema | undefined): unknown {
  return schema ? JSON.parse(starterOf(schema)) : null;
}

function inside(problems: readonly EditorProblem[], path: string): EditorProblem[] {
  return problems.map((problem) => ({ ...problem, path: problem.path.slice(path.length).replace(/^\./, "") }));
}
