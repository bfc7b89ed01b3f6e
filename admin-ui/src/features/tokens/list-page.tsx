/** API tokens: those of the user who is signed in, and those of all users. */

import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Reason } from "../../api/client";
import { useClient, useMay } from "../../api/context";
import type { ApiTokenView } from "../../api/generated/client";
import { Icon } from "../../ui/icons";
import { RouterLink } from "../../ui/link";
import { ListPage } from "../../ui/list/list-page";
import type { BulkSelection } from "../../ui/list/list-panel";
import { EmptyState } from "../../ui/states/empty-state";
import { BulkBar } from "../batches/bulk-bar";
import { columns, filters, ownFilters } from "./columns";
import { NewTokenDialog } from "./new-token-dialog";

export function OwnTokensPage() {
  return <TokensPage isOfAll={false} />;
}

export function AllTokensPage() {
  return <TokensPage isOfAll />;
}

function TokensPage({ isOfAll }: { isOfAll: boolean }) {
  const client = useClient();
  const queries = useQueryClient();
  const mayRead = useMay("USERS", "READ");
  const mayWrite = useMay("USERS", "WRITE") || !isOfAll;
  const [isOpen, dialog] = useDisclosure(false);
  const reread = () => queries.invalidateQueries({ queryKey: ["tokens"] });
  const shown = useMemo(() => {
    const revoke = async ({ id }: ApiTokenView, reason: Reason) => {
      await client.call(isOfAll ? "revokeToken" : "revokeOwnToken", { path: { token_id: id }, reason });
      await queries.invalidateQueries({ queryKey: ["tokens"] });
    };
    return columns({ isOfAll, revoke: mayWrite ? revoke : null });
  }, [client, queries, isOfAll, mayWrite]);
  return (
    <>
      <ListPage
        key={String(isOfAll)}
        title={isOfAll ? "API tokens of all users" : "Your API tokens"}
        about="Programs use API tokens to call the manager. A token never has more permissions than its owner."
        actions={
          <Group gap="xs">
            {mayRead && (
              <Button variant="default" component={RouterLink} to={isOfAll ? "/tokens" : "/tokens/-/all"}>
                {isOfAll ? "Your API tokens" : "Tokens of all users"}
              </Button>
            )}
            {mayWrite && (
              <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
                {isOfAll ? "New token for a service account" : "New API token"}
              </Button>
            )}
          </Group>
        }
        queryKey={["tokens", isOfAll ? "all" : "own"]}
        fetchRows={async (query, signal) =>
          (await client.call(isOfAll ? "listTokens" : "listOwnTokens", { query, signal })).data
        }
        columns={shown}
        filters={isOfAll ? filters : ownFilters}
        rowKey={(token) => token.id}
        defaultSort="-created"
        rowName={(token) => (isOfAll ? `${token.name} of ${token.user}` : token.name)}
        {...(isOfAll && mayWrite
          ? { bulk: (selection: BulkSelection<ApiTokenView>) => <BulkBar kind="tokens" {...selection} /> }
          : {})}
        empty={
          <EmptyState title="No API tokens yet">
            Create one token for each program, so that you can revoke them individually.
          </EmptyState>
        }
      />
      {isOpen && <NewTokenDialog isForService={isOfAll} onClose={dialog.close} onCreated={reread} />}
    </>
  );
}
