/** Compares one revision with the page: differences, users affected by a roll back, and the actions. */

import { Alert, Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import type { RevisionDocument } from "../../api/generated/client";
import { changesBetween } from "../../ui/document/changes";
import { ChangesTable } from "../../ui/document/changes-table";
import { ReasonFields } from "../../ui/document/reason-fields";
import { QueryState } from "../../ui/states/query-state";
import { KINDS, type Kind } from "../documents/kinds";
import { isPreviewed } from "../documents/reach";
import { ChangeEffect } from "../previews/change-effect";
import { useRollBack } from "./use-roll-back";

/** The document of the page, with which its revisions are compared. */
export interface EditedVersion<Draft> {
  kind: Kind;
  id: string;
  /** The part of a stored body that the page edits. */
  draftOf: (body: Record<string, unknown>) => Draft;
  /** The current value of the page. */
  current: Draft;
  /** Copies an older version to the page; not for users who may only read. */
  onUse: ((draft: Draft) => void) | undefined;
  onDone: () => void;
}

interface ComparedProps<Draft> extends EditedVersion<Draft> {
  revision: number;
  /** The current revision. */
  newest: number;
}

export function Compared<Draft>(props: ComparedProps<Draft>) {
  const { kind, id, revision } = props;
  const client = useClient();
  const found = useQuery({
    queryKey: [kind, "history", id, revision],
    queryFn: async ({ signal }) => {
      const path = { document_id: id, revision: String(revision) };
      // The page of a configuration file keeps the text of numbers, and so must a revision that is loaded into it.
      return (await client.call(KINDS[kind].revision, { path, signal, exact: kind === "configs" })).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryState query={found}>
      {(then) =>
        then.document ? (
          <Difference {...props} then={then.document} />
        ) : (
          <Alert color="orange">The document was deleted in this revision.</Alert>
        )
      }
    </QueryState>
  );
}

interface DifferenceProps<Draft> extends ComparedProps<Draft> {
  then: NonNullable<RevisionDocument["document"]>;
}

function Difference<Draft>({
  kind,
  id,
  draftOf,
  current,
  onUse,
  onDone,
  revision,
  newest,
  then,
}: DifferenceProps<Draft>) {
  const rollBack = useRollBack(kind, id, onDone);
  const draft = draftOf(then);
  const changes = changesBetween(draft, current);
  return (
    <Stack gap="sm">
      <ChangesTable
        changes={changes}
        before={`Revision ${revision}`}
        after="Now"
        same="No differences from the current version."
      />
      {onUse && changes.length > 0 && (
        <>
          {isPreviewed(kind) && (
            <ChangeEffect
              kind={kind}
              subject={then}
              proposals={() => [{ action: "replace", key: id, document: then }]}
            />
          )}
          {revision !== newest && <ReasonFields given={rollBack.given} />}
          <Group justify="flex-end" gap="sm">
            <Button
              variant="default"
              onClick={() => {
                onUse(draft);
                onDone();
              }}
            >
              Load revision {revision} into the editor
            </Button>
            {revision !== newest && (
              <Button
                loading={rollBack.isBusy}
                disabled={rollBack.given.isMissing}
                onClick={() => void rollBack.to(revision, newest)}
              >
                Roll back to revision {revision}
              </Button>
            )}
          </Group>
        </>
      )}
    </Stack>
  );
}
