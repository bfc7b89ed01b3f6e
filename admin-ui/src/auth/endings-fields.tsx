/** Fields in which users choose what ends besides the sessions of a user. */

import { Checkbox } from "@mantine/core";
import type { Ends } from "../api/endings";

interface EndingsFieldsProps {
  /** Whose they are: "your" or "the user's". */
  owner: string;
  ends: Ends;
  onChange: (ends: Ends) => void;
}

export function EndingsFields({ owner, ends, onChange }: EndingsFieldsProps) {
  return (
    <>
      <Checkbox
        label={`Also revoke ${owner} API tokens`}
        checked={ends.apiTokens}
        onChange={(event) => onChange({ ...ends, apiTokens: event.currentTarget.checked })}
      />
      <Checkbox
        label={`Also stop ${owner} planned work`}
        description="Command runs, commands that no desktop has fetched, bulk changes and roll-outs"
        checked={ends.plannedWork}
        onChange={(event) => onChange({ ...ends, plannedWork: event.currentTarget.checked })}
      />
    </>
  );
}
