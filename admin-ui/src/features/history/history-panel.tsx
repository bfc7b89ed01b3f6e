/** The revisions of a document, and what differs between one of them and the page. */

import { Alert, Button, Group, NavLink, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { OperationName } from "../../api/client";
import { useClient } from "../../api/context";
import type { RevisionDocument, RevisionView } from "../../api/generated/client";
import { changesBetween } from "../../ui/document/changes";
import { ChangesTable } from "../../ui/document/changes-table";
import { ErrorState } from "../../ui/states/error-state";
import { LoadingState } from "../../ui/states/loading-state";
import { QueryState } from "../../ui/states/query-state";
import { exactTime } from "../../ui/time";

export interface HistorySource<Draft> {
  readonly id: string;
  readonly list: Extract<OperationName, `list${string}Revisions`>;
  readonly read: Extract<OperationName, `read${string}Revision`>;
  /** The part of a stored body that the page edits. */
  readonly draftOf: (body: Record<string, unknown>) => Draft;
}

const PART = 50;

interface HistoryPanelProps<Draft> {
  source: HistorySource<Draft>;
  current: Draft;
  onUse: ((draft: Draft) => void) | undefined;
}

export function HistoryPanel<Draft>({ source, current, onUse }: HistoryPanelProps<Draft>) {
  const client = useClient();
  const [chosen, setChosen] = useState<number | null>(null);
  const found = useInfiniteQuery({
    queryKey: ["history", source.list, source.id],
    queryFn: async ({ signal, pageParam }) =>
      (
        await client.call(source.list, {
          path: { document_id: source.id },
          query: { limit: PART, offset: pageParam },
          signal,
        })
      ).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PART < last.total ? pages.length * PART : undefined),
    staleTime: 0,
  });
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <LoadingState />;
  const revisions = found.data.pages.flatMap((part) => part.items);
  return (
    <Stack>
      <Text size="sm">Choose a revision to compare it with what the page shows now.</Text>
      <div>
        {revisions.map((revision) => (
          <NavLink
            key={revision.revision}
            component="button"
            type="button"
            active={revision.revision === chosen}
            aria-pressed={revision.revision === chosen}
            label={`Revision ${revision.revision}: ${revision.action} by ${revision.actor}`}
            description={exactTime(revision.at)}
            onClick={() => setChosen(revision.revision === chosen ? null : revision.revision)}
          />
        ))}
      </div>
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          Show older
        </Button>
      )}
      {chosen !== null && (
        <Compared
          key={chosen}
          source={source}
          revision={chosen}
          current={current}
          onUse={onUse}
          revisions={revisions}
        />
      )}
    </Stack>
  );
}

interface ComparedProps<Draft> extends HistoryPanelProps<Draft> {
  revision: number;
  revisions: readonly RevisionView[];
}

function Compared<Draft>({ source, revision, current, onUse }: ComparedProps<Draft>) {
  const client = useClient();
  const found = useQuery({
    queryKey: ["history", source.read, source.id, revision],
    queryFn: async ({ signal }): Promise<RevisionDocument> =>
      (await client.call(source.read, { path: { document_id: source.id, revision: String(revision) }, signal })).data,
  });
  return (
    <QueryState query={found}>
      {(then) => {
        if (!then.document) return <Alert color="orange">At this revision it was deleted.</Alert>;
        const draft = source.draftOf(then.document);
        const changes = changesBetween(draft, current);
        return (
          <Stack gap="sm">
            <ChangesTable changes={changes} before={`Revision ${revision}`} after="Now" same="It is the same as now." />
            {onUse && changes.length > 0 && (
              <Group justify="flex-end">
                <Button onClick={() => onUse(draft)}>Put revision {revision} into the page</Button>
              </Group>
            )}
          </Stack>
        );
      }}
    </QueryState>
  );
}
