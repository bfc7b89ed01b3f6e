/** The server: health, effective settings with their origins, export and import. */

import { Button, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { ExportPanel } from "./export-panel";
import { HealthPanel } from "./health-panel";
import { ImportPanel } from "./import-panel";
import { OriginsPanel } from "./origins-panel";
import { QuotasPanel } from "./quotas-panel";
import { SettingsTable } from "./settings-table";

const ASK_AGAIN_MS = 10_000;

export function ServerPage() {
  const client = useClient();
  const found = useQuery({
    queryKey: ["server"],
    queryFn: async ({ signal }) => (await client.call("readServer", { signal })).data,
    refetchInterval: ASK_AGAIN_MS,
  });
  return (
    <PageBody>
      <PageHead
        title="Server"
        about="Health, export and import, allowed origins, quotas and effective settings."
        actions={
          <Button component="a" href={client.reference} target="_blank" rel="noopener" variant="default">
            API reference
          </Button>
        }
      />
      <QueryState query={found}>
        {(server) => (
          <>
            <HealthPanel server={server} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <ExportPanel />
              <ImportPanel />
            </SimpleGrid>
            <OriginsPanel settings={server.settings} />
            <QuotasPanel settings={server.settings} />
            <SettingsTable settings={server.settings} />
          </>
        )}
      </QueryState>
    </PageBody>
  );
}
