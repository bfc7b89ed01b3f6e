/** The status and the assignee of crash groups and feedback: labels, filters and the fields of a form. */

import { Button, Group } from "@mantine/core";
import { useMe } from "../../api/context";
import { Label } from "../../ui/labels";
import type { Filter } from "../../ui/list/columns";
import { SelectInput } from "../../ui/select-input";
import { NameInput } from "../../ui/suggest-input";
import { useUserNames } from "../users/user-names";

export type TriageStatus = "new" | "investigating" | "resolved" | "ignored" | "returned";

export interface TriageDraft {
  readonly status: TriageStatus;
  readonly assignee: string | null;
}

const STATUSES: Readonly<Record<TriageStatus, readonly [label: string, color: string]>> = {
  new: ["New", "orange"],
  investigating: ["Investigating", "blue"],
  returned: ["Came back", "red"],
  resolved: ["Resolved", "green"],
  ignored: ["Ignored", "gray"],
};

export function StatusLabel({ status }: { status: TriageStatus }) {
  const [label, color] = STATUSES[status];
  return <Label color={color}>{label}</Label>;
}

const choices = (...names: readonly TriageStatus[]) => names.map((value) => ({ value, label: STATUSES[value][0] }));

/** The states that administrators can set. */
const SETTABLE = choices("new", "investigating", "resolved", "ignored");

export const feedbackStatusFilter: Filter = { name: "status", label: "Status", choices: SETTABLE };
export const groupStatusFilter: Filter = {
  name: "status",
  label: "Status",
  choices: [{ value: "open", label: "Open" }, ...choices("new", "investigating", "returned", "resolved", "ignored")],
};
export const assigneeFilter: Filter = { name: "assignee", label: "Assignee", whole: true };

interface TriageFieldsProps {
  draft: TriageDraft;
  onChange: (changed: Partial<TriageDraft>) => void;
  mayWrite: boolean;
}

export function TriageFields({ draft, onChange, mayWrite }: TriageFieldsProps) {
  const me = useMe();
  const users = useUserNames();
  // Only the server sets this one.
  const data = draft.status === "returned" ? [...choices("returned"), ...SETTABLE] : SETTABLE;
  return (
    <Group align="flex-end" gap="sm">
      <SelectInput
        label="Status"
        data={data}
        value={draft.status}
        onChange={(status) => status && onChange({ status: status as TriageStatus })}
        allowDeselect={false}
        disabled={!mayWrite}
        w={180}
      />
      {mayWrite ? (
        <>
          <NameInput
            key={draft.assignee ?? ""}
            label="Assignee"
            placeholder="Not assigned"
            value={draft.assignee ?? ""}
            onChange={(assignee) => onChange({ assignee: assignee || null })}
            suggestions={users}
            width={260}
          />
          {draft.assignee !== me.id && (
            <Button variant="default" onClick={() => onChange({ assignee: me.id })}>
              Assign to me
            </Button>
          )}
        </>
      ) : (
        <SelectInput
          label="Assignee"
          data={[draft.assignee ?? "Not assigned"]}
          value={draft.assignee ?? "Not assigned"}
          disabled
        />
      )}
    </Group>
  );
}
