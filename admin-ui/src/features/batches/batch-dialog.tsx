/** Prompts for the arguments of an action on selected documents, shows its effect, and starts it. */

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "../../ui/dialog";
import { pathOf } from "../../ui/link";
import { NamesInput } from "../../ui/names-input";
import { NameInput } from "../../ui/suggest-input";
import { useAppNames } from "../apps/app-names";
import { useGroupNames } from "../groups/group-names";
import { useUserNames } from "../users/user-names";
import { BatchForm, type BatchTargets } from "./batch-form";
import { type BatchKind, type BulkAction, titleOf } from "./kinds";

interface BatchDialogProps {
  kind: BatchKind;
  action: BulkAction;
  targets: BatchTargets;
  /** Initially selected groups or apps. */
  given?: readonly string[];
  givenOption?: boolean;
  onClose: () => void;
  onStarted: () => void;
}

export function BatchDialog({ kind, action, targets, given = [], givenOption = false, ...on }: BatchDialogProps) {
  const navigate = useNavigate();
  const [names, setNames] = useState<readonly string[]>(given);
  return (
    <Dialog opened onClose={on.onClose} title={titleOf(kind, action)} size="lg" centered>
      <BatchForm
        kind={kind}
        action={action}
        names={names}
        givenOption={givenOption}
        targets={targets}
        inputs={action.argument && <Argument action={action} value={names} onChange={setNames} />}
        onClose={on.onClose}
        onStarted={(batch) => {
          on.onStarted();
          void navigate({ to: pathOf("batches", kind, batch.id) });
        }}
      />
    </Dialog>
  );
}

interface ArgumentProps {
  action: BulkAction;
  value: readonly string[];
  onChange: (names: readonly string[]) => void;
}

function Argument({ action, value, onChange }: ArgumentProps) {
  const groups = useGroupNames();
  const apps = useAppNames();
  const users = useUserNames();
  if (action.argument === "assignee") {
    return (
      <NameInput
        label="Assignee"
        placeholder="Type part of a name"
        value={value[0] ?? ""}
        onChange={(name) => onChange(name ? [name] : [])}
        suggestions={users}
      />
    );
  }
  const isApps = action.argument === "apps";
  return (
    <NamesInput
      label={isApps ? "Apps" : "Groups"}
      description="Type part of a name, then select a suggestion."
      value={value}
      onChange={onChange}
      suggestions={isApps ? apps : groups}
    />
  );
}
