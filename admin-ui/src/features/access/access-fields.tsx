/** Access to a document: all users, or members of groups; and whether it is disabled. */

import { Paper, Stack, Switch, Text, Title } from "@mantine/core";
import type { FieldErrors } from "../../ui/document/field-errors";
import { NamesInput } from "../../ui/names-input";
import { useGroupNames } from "../groups/group-names";
import { type Access, accessSentence } from "./access-sentence";

interface AccessFieldsProps {
  value: Access;
  onChange: (access: Access) => void;
  readOnly: boolean;
  /** False if the document cannot be disabled yet. */
  withDisabled?: boolean;
  children?: React.ReactNode;
  errors?: FieldErrors | undefined;
}

export const ACCESS_FIELDS = ["public", "accessList", "disabled"];

export function AccessFields({ value, onChange, readOnly, withDisabled = true, ...rest }: AccessFieldsProps) {
  const { children, errors } = rest;
  const groups = useGroupNames();
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Access
        </Title>
        {children}
        <Switch
          label="Public: available to all users"
          checked={value.public}
          disabled={readOnly}
          onChange={(event) => onChange({ ...value, public: event.currentTarget.checked })}
        />
        <NamesInput
          label="Available to groups"
          description="Members of these groups, including members of groups that inherit from them."
          value={value.accessList}
          onChange={(accessList) => onChange({ ...value, accessList })}
          error={errors?.at("accessList")}
          suggestions={groups}
          disabled={readOnly}
        />
        {withDisabled && (
          <Switch
            label="Disabled: not available to any user"
            checked={value.disabled}
            disabled={readOnly}
            onChange={(event) => onChange({ ...value, disabled: event.currentTarget.checked })}
          />
        )}
        <Text size="sm" role="status" c="dimmed">
          {accessSentence(value)}
        </Text>
      </Stack>
    </Paper>
  );
}
