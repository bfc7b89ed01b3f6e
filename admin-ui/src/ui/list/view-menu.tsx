/** Columns, row height and saved views of a list. The panel is loaded when it is opened. */

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { useClient } from "../../api/context";
import { SidePanel } from "../dialog";
import { Icon } from "../icons";
import { LoadProblem } from "../parts/load-problem";
import { PartBoundary, part } from "../parts/part";
import { LoadingState } from "../states/loading-state";
import { type Search, useSetSearch } from "./list-search";
import { changesTo, isOnlyView } from "./view";
import type { ViewPanelProps } from "./view-panel";

const ViewPanel = part<ViewPanelProps>(async () => (await import("./view-panel")).ViewPanel);

export function ViewMenu({ list, columns }: Pick<ViewPanelProps, "list" | "columns">) {
  const [isOpen, drawer] = useDisclosure(false);
  const name = useCurrentView(list);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon name="eye" size={16} />}
        onClick={drawer.open}
        className="view-button"
        {...(name ? { "aria-label": `View: ${name}` } : {})}
      >
        {name ?? "View"}
      </Button>
      <SidePanel opened={isOpen} onClose={drawer.close} position="right" title="View">
        <PartBoundary failed={(error, onLoaded) => <LoadProblem what="This panel" error={error} onLoaded={onLoaded} />}>
          <Suspense fallback={<LoadingState />}>
            <ViewPanel list={list} columns={columns} />
          </Suspense>
        </PartBoundary>
      </SidePanel>
    </>
  );
}

/** The name of the view in the address. If the address contains only a view, the content of the view is added. */
function useCurrentView(list: string | null): string | undefined {
  const client = useClient();
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const id = search.view ?? "";
  const { data: view } = useQuery({
    queryKey: ["views", "one", id],
    queryFn: async ({ signal }) => (await client.call("readView", { path: { view_id: id }, signal })).data,
    enabled: list !== null && id !== "",
    retry: false,
  });
  const isIncomplete = isOnlyView(search);
  useEffect(() => {
    if (view && view.list === list && isIncomplete && view.search) setSearch(changesTo({}, view));
  }, [view, list, isIncomplete, setSearch]);
  return view?.list === list ? view?.name : undefined;
}
