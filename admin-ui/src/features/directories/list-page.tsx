/** Directory addresses: app directories for FDC3 agents that cannot sign in. */

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Reason } from "../../api/client";
import { useClient, useMay } from "../../api/context";
import { Icon } from "../../ui/icons";
import { ListPage } from "../../ui/list/list-page";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters } from "./columns";
import { NewDirectoryDialog } from "./new-directory-dialog";

export function DirectoriesPage() {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay("APPS", "WRITE");
  const [isOpen, dialog] = useDisclosure(false);
  const reread = () => queries.invalidateQueries({ queryKey: ["directories"] });
  const shown = useMemo(() => {
    const revoke = async (id: string, reason: Reason) => {
      await client.call("revokeDirectory", { path: { directory_id: id }, reason });
      await queries.invalidateQueries({ queryKey: ["directories"] });
    };
    return columns(mayWrite ? revoke : null);
  }, [client, queries, mayWrite]);
  return (
    <>
      <ListPage
        title="Directory addresses"
        about="FDC3 agents that cannot sign in use a directory address to read the apps of a user or group."
        actions={
          mayWrite && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
              New directory address
            </Button>
          )
        }
        queryKey={["directories"]}
        fetchRows={async (query, signal) => (await client.call("listDirectories", { query, signal })).data}
        columns={shown}
        filters={filters}
        rowKey={(directory) => directory.id}
        defaultSort="-created"
        rowName={(directory) => directory.description || (directory.user ?? directory.group ?? directory.id)}
        bulk={(selection) => <BulkBar kind="directories" {...selection} />}
        empty={
          <EmptyState title="No directory addresses yet">
            Create one address per agent, so that you can revoke them individually.
          </EmptyState>
        }
      />
      {isOpen && <NewDirectoryDialog onClose={dialog.close} onCreated={reread} />}
    </>
  );
}
