/** Shows that apps are not connected to the FDC3 agent, while the page reconnects. */

import { Alert } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { useIsAway } from "../../../admin-ui/src/api/context";
import type { Interop } from "./interop";

export function InteropBanner({ interop }: { interop: Interop }) {
  const { isConnected, problem } = useSyncExternalStore(interop.subscribe, interop.current);
  const isManagerAway = useIsAway();
  // The message about the manager is sufficient: without the manager, no user can sign in at the gateway.
  if (isConnected || !problem || isManagerAway) return null;
  return (
    <Alert color="orange" variant="light" radius={0} role="status">
      Apps are not connected to each other: channels and intents do not work. Reconnecting…
    </Alert>
  );
}
