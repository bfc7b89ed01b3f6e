/** The revisions of a document, which can be compared with the page, copied to it, or restored. */

import { Button, NavLink, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useClient } from "../../api/context";
import { ErrorState } from "../../ui/states/error-state";
import { LoadingState } from "../../ui/states/loading-state";
import { exactTime } from "../../ui/time";
import { KINDS } from "../documents/kinds";
import { Compared, type EditedVersion } from "./compared";

export interface HistoryPanelProps<Draft> extends EditedVersion<Draft> {
  /** The revision that is selected first. */
  initial: number | null;
}

const PART = 50;

export function HistoryPanel<Draft>(props: HistoryPanelProps<Draft>) {
  const { kind, id } = props;
  const client = useClient();
  const [chosen, setChosen] = useState<number | null>(props.initial);
  const found = useInfiniteQuery({
    queryKey: [kind, "history", id],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: PART, offset: pageParam };
      return (await client.call(KINDS[kind].revisions, { path: { document_id: id }, query, signal })).data;
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PART < last.total ? pages.length * PART : undefined),
    staleTime: 0,
  });
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <LoadingState />;
  const revisions = found.data.pages.flatMap((part) => part.items);
  return (
    <Stack>
      <Text size="sm">Select a revision to compare it with the current version.</Text>
      <div>
        {revisions.map((revision) => (
          <NavLink
            key={revision.revision}
            component="button"
            type="button"
            active={revision.revision === chosen}
            aria-pressed={revision.revision === chosen}
            label={`Revision ${revision.revision}: ${revision.action} by ${revision.actor}`}
            description={[exactTime(revision.at), revision.ticket, revision.comment].filter(Boolean).join(" · ")}
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
        <Compared {...props} key={chosen} revision={chosen} newest={revisions[0]?.revision ?? chosen} />
      )}
    </Stack>
  );
}
