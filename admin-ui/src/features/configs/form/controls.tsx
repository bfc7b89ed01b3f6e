/** The controls for single values. A setting that is not set shows the inherited value. */

import { MultiSelect, NumberInput, Switch, TagsInput, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { ExactNumber } from "../../../api/exact-number";
import { SelectInput } from "../../../ui/select-input";
import type { SettingField } from "./catalogue";

export interface ControlProps {
  readonly field: SettingField;
  readonly label: string;
  /** The value in this file; undefined if it is not set here. */
  readonly value: unknown;
  readonly inherited: unknown;
  readonly onSet: (value: unknown) => void;
  readonly onRemove: () => void;
  readonly readOnly: boolean;
  readonly error: ReactNode;
}

export function ValueControl(props: ControlProps) {
  switch (props.field.control) {
    case "switch":
      return <SwitchControl {...props} />;
    case "number":
      return <NumberControl {...props} />;
    case "choice":
      return <ChoiceControl {...props} />;
    case "list":
      return <ListControl {...props} />;
    case "choices":
      return <ChoicesControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}

function SwitchControl({ label, value, inherited, onSet, readOnly, error }: ControlProps) {
  const isOn = value === undefined ? inherited === true : value === true;
  return (
    <Switch
      aria-label={label}
      checked={isOn}
      label={isOn ? "on" : "off"}
      disabled={readOnly}
      error={error}
      onChange={(event) => onSet(event.currentTarget.checked)}
    />
  );
}

function NumberControl({ field, label, value, inherited, onSet, onRemove, readOnly, error }: ControlProps) {
  return (
    <NumberInput
      aria-label={label}
      value={value instanceof ExactNumber ? value.text : typeof value === "number" ? value : ""}
      placeholder={shortText(inherited)}
      // The manager states the allowed values; a number that changes by itself would hide the mistake.
      clampBehavior="none"
      {...(field.minimum === undefined ? {} : { min: field.minimum })}
      {...(field.maximum === undefined ? {} : { max: field.maximum })}
      hideControls
      rightSection={
        field.unit && (
          <Text size="xs" c="dimmed" pe="xs">
            {field.unit}
          </Text>
        )
      }
      rightSectionWidth={field.unit && field.unit.length > 3 ? 64 : 40}
      disabled={readOnly}
      error={error}
      onChange={(next) => {
        if (next === "") onRemove();
        else if (typeof next === "number") onSet(next);
        else if (/^-?\d+(\.\d+)?$/.test(next)) onSet(new ExactNumber(next));
      }}
    />
  );
}

function TextControl({ label, value, inherited, onSet, onRemove, readOnly, error }: ControlProps) {
  return (
    <TextInput
      aria-label={label}
      value={typeof value === "string" ? value : ""}
      placeholder={shortText(inherited)}
      disabled={readOnly}
      error={error}
      onChange={({ currentTarget }) => (currentTarget.value === "" ? onRemove() : onSet(currentTarget.value))}
    />
  );
}

function ChoiceControl({ field, label, value, inherited, onSet, onRemove, readOnly, error }: ControlProps) {
  const choices = field.choices ?? [];
  const own = typeof value === "string" ? value : null;
  return (
    <SelectInput
      aria-label={label}
      data={own !== null && !choices.includes(own) ? [own, ...choices] : [...choices]}
      value={own}
      placeholder={shortText(inherited)}
      allowDeselect={false}
      disabled={readOnly}
      error={error}
      onChange={(next) => (next === null ? onRemove() : onSet(next))}
    />
  );
}

function ListControl({ label, value, inherited, onSet, readOnly, error }: ControlProps) {
  const own = asTexts(value);
  return (
    <TagsInput
      aria-label={label}
      value={own}
      placeholder={own.length === 0 ? shortText(inherited) || "Type a value, then press Enter" : ""}
      // Texts may contain commas.
      splitChars={[]}
      disabled={readOnly}
      error={error}
      onChange={onSet}
    />
  );
}

function ChoicesControl({ field, label, value, inherited, onSet, readOnly, error }: ControlProps) {
  const own = asTexts(value);
  const choices = field.choices ?? [];
  return (
    <MultiSelect
      aria-label={label}
      data={[...new Set([...choices, ...own])]}
      value={own}
      placeholder={own.length === 0 ? shortText(inherited) : ""}
      disabled={readOnly}
      error={error}
      onChange={onSet}
    />
  );
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const LONGEST = 40;

/** A value as a placeholder. */
function shortText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : Array.isArray(value) ? value.map(String).join(", ") : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
