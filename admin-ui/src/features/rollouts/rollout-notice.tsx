/** Shows on the page of a document that it is being rolled out in stages. */

import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import type { RolloutSummary } from "../../api/generated/client";
import { TextLink } from "../../ui/link";
import { rolloutPath } from "./columns";
import { STAGED, type StagedKind } from "./kinds";
import { isOpen } from "./sentences";

/** The roll-out of a document that has not ended. */
export function useOpenRollout(kind: StagedKind, id: string): RolloutSummary | null {
  const client = useClient();
  const found = useQuery({
    queryKey: [kind, "rollouts", "of", id],
    queryFn: async ({ signal }) =>
      (await client.call(STAGED[kind].list, { query: { key: id, sort: "-created", limit: 1 }, signal })).data,
  });
  const newest = found.data?.items[0];
  return newest && isOpen(newest) ? newest : null;
}

export function RolloutNotice({ kind, id }: { kind: StagedKind; id: string }) {
  const rollout = useOpenRollout(kind, id);
  if (!rollout) return null;
  const stage = `Stage ${rollout.stage} of ${rollout.stages.length}${rollout.status === "halted" ? ", halted" : ""}.`;
  return (
    <Alert color="blue" variant="light" title="A new version is being rolled out in stages">
      <Text size="sm">
        {`${stage} This page shows the saved version. Its content cannot be changed until the roll-out ends. `}
        <TextLink to={rolloutPath(kind, rollout.id)} size="sm">
          Show the roll-out
        </TextLink>
      </Text>
    </Alert>
  );
}
