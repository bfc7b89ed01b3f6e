/** The most frequently changed members of a definition, as a form. */

import { NumberInput, Paper, SimpleGrid, Stack, Switch, TextInput, Title } from "@mantine/core";
import { valueAt, withValue } from "../../ui/document/changes";
import { SelectInput } from "../../ui/select-input";
import { APP_TYPES, type Definition, type FormField, fieldsOf, textOf } from "./definition";

interface DefinitionFormProps {
  value: Definition;
  onChange: (definition: Definition) => void;
  readOnly: boolean;
  /** The name is the key and cannot change after the app was created. */
  isNew: boolean;
  /** The problem of the field for a path, such as `details.url`. */
  errorAt: (path: string) => string | undefined;
}

export function DefinitionForm({ value, onChange, readOnly, isNew, errorAt }: DefinitionFormProps) {
  const set = (path: readonly string[], next: unknown) => onChange(withValue(value, path, next) as Definition);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Definition
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label="Name"
            value={textOf(value.name)}
            onChange={(event) => set(["name"], event.currentTarget.value)}
            disabled={readOnly || !isNew}
            error={errorAt("name")}
            required={isNew}
          />
          <SelectInput
            label="Type"
            data={typesWith(textOf(value.type))}
            value={textOf(value.type) || null}
            onChange={(type) => set(["type"], type ?? undefined)}
            disabled={readOnly}
            allowDeselect={false}
            error={errorAt("type")}
          />
          {fieldsOf(value).map((field) => (
            <Field
              key={field.path.join(".")}
              field={field}
              definition={value}
              onChange={set}
              readOnly={readOnly}
              error={errorAt(field.path.join("."))}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

interface FieldProps {
  field: FormField;
  definition: Definition;
  onChange: (path: readonly string[], value: unknown) => void;
  readOnly: boolean;
  error: string | undefined;
}

function Field({ field, definition, onChange, readOnly, error }: FieldProps) {
  const value = valueAt(definition, field.path);
  const common = { label: field.label, disabled: readOnly, error };
  if (field.kind === "flag") {
    return (
      <Switch
        {...common}
        mt={4}
        checked={value === true}
        onChange={(event) => onChange(field.path, event.currentTarget.checked ? true : undefined)}
      />
    );
  }
  if (field.kind === "number") {
    return (
      <NumberInput
        {...common}
        value={typeof value === "number" ? value : ""}
        onChange={(next) => onChange(field.path, typeof next === "number" ? next : undefined)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      value={textOf(value)}
      onChange={(event) => onChange(field.path, event.currentTarget.value || undefined)}
    />
  );
}

function typesWith(type: string): string[] {
  return type === "" || (APP_TYPES as readonly string[]).includes(type) ? [...APP_TYPES] : [type, ...APP_TYPES];
}
