/** Who may see a document: everyone, or the members of groups; and whether it is withheld from all. */

import { Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { NamesInput } from "../../ui/names-input";
import { useGroupNames } from "../groups/group-names";
import { type Access, accessSentence } from "./access-sentence";

interface AccessFieldsProps {
  value: Access;
  onChange: (access: Access) => void;
  readOnly: boolean;
  /** Off where something cannot be made disabled yet. */
  withDisabled?: boolean;
  children?: React.ReactNode;
}

export function AccessFields({ value, onChange, readOnly, withDisabled = true, children }: AccessFieldsProps) {
  const groups = useGroupNames();
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Access
        </Title>
        {children}
        <Switch
          label="Public: everyone gets it"
          checked={value.public}
          disabled={readOnly}
          onChange={(event) => onChange({ ...value, public: event.currentTarget.checked })}
        />
        <NamesInput
          label="Groups that get it"
          description="Members of these groups, and of groups that expand to them."
          value={value.accessList}
          onChange={(accessList) => onChange({ ...value, accessList })}
          suggestions={groups}
          disabled={readOnly}
        />
        {withDisabled && (
          <Switch
            label="Disabled: withheld from everyone"
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
