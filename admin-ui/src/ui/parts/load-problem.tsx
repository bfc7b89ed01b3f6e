/** Shows that a part of the UI was not loaded, and loads it when the manager responds. */

import { Alert, Button, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useClient, useIsAway } from "../../api/context";
import type { LoadFailed } from "./part";

interface LoadProblemProps {
  /** The missing part, such as `This page`. */
  what: string;
  error: LoadFailed;
  onLoaded: () => void;
  /** Whether the whole page can be reloaded without losing input. */
  mayReload?: boolean;
}

export function LoadProblem({ what, error, onLoaded, mayReload = false }: LoadProblemProps) {
  const client = useClient();
  const isAway = useIsAway();
  const wasAway = useRef(isAway);
  const [isBusy, setBusy] = useState(false);
  const [isOutdated, setOutdated] = useState(false);

  const retry = async () => {
    setBusy(true);
    try {
      await error.retry();
      onLoaded();
    } catch {
      const responds = await client.call("live", {}).then(
        () => true,
        () => false,
      );
      // The manager responds without the file: it has another version, and only a reloaded page has the new file names.
      if (responds && mayReload) window.location.reload();
      setOutdated(responds);
      setBusy(false);
    }
  };

  // If the manager does not respond, the connection banner polls it. If it responds, the failure may be over.
  const onResponse = useEffectEvent(() => void error.retry().then(onLoaded, () => undefined));
  useEffect(() => void client.call("live", {}).then(onResponse, () => undefined), [client]);
  const onBack = useEffectEvent(() => void retry());
  useEffect(() => {
    if (wasAway.current && !isAway) onBack();
    wasAway.current = isAway;
  }, [isAway]);

  return (
    <Alert color="orange" variant="light" title={`${what} could not be loaded`} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {isOutdated
            ? "The manager responds, but does not have the file. It may have been updated. Save your changes, then reload the page."
            : "The manager did not send the file. The page tries again when the manager responds."}
        </Text>
        {isOutdated ? (
          <Button size="xs" variant="default" onClick={() => window.location.reload()}>
            Reload the page
          </Button>
        ) : (
          <Button size="xs" variant="default" loading={isBusy} onClick={() => void retry()}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
