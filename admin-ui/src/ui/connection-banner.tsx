/** Shows that the manager is offline, polls it, and fetches everything again when it is back online. */

import { Alert, Group, Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useClient, useIsAway } from "../api/context";

const ASK_EVERY_MS = 2_000;

export function ConnectionBanner() {
  const isAway = useIsAway();
  const client = useClient();
  const queries = useQueryClient();

  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => {
      client.call("live", {}).then(
        () => queries.invalidateQueries(),
        () => undefined,
      );
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isAway, client, queries]);

  if (!isAway) return null;
  return (
    <Alert color="orange" variant="light" radius={0} role="status">
      <Group gap="sm">
        <Loader size="xs" color="orange" aria-hidden />
        The manager does not respond. The data on this page may be outdated. Your changes are kept. Retrying…
      </Group>
    </Alert>
  );
}
