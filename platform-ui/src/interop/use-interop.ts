/** Connects the page to the FDC3 agent of its user, if the manager names a central gateway. */

import { useEffect, useState } from "react";
import { useMe, useSession } from "../../../admin-ui/src/api/context";
import hubScript from "../agent/hub-worker.ts?sharedworker&url";
import type { PageOptions } from "../options";
import type { Workbench } from "../workspace/workbench";
import { Interop } from "./interop";

export function useNewInterop(): Interop {
  const [interop] = useState(() => new Interop());
  return interop;
}

export function useInteropConnection(interop: Interop, workbench: Workbench, options: PageOptions): void {
  const session = useSession();
  const me = useMe();
  const { gatewayURL: url } = options;
  useEffect(() => {
    if (!url) return;
    const credentials = async () => {
      const token = session.currentToken();
      return token === null ? ({ method: "session" } as const) : ({ method: "access-token", token } as const);
    };
    interop.start({
      url,
      user: me.id,
      credentials,
      open: (request) => workbench.openFor(request),
      ...("SharedWorker" in window ? { worker: () => hubOf(me.id, url) } : {}),
    });
    return () => interop.stop();
  }, [interop, workbench, session, me.id, url]);
}

/** All pages of this browser share one hub for each user. */
function hubOf(user: string, url: string): SharedWorker {
  // Browsers that know `extendedLifetime` keep the worker while its only page is loaded again.
  const options = { name: `rostrum-agent ${user} ${url}`, extendedLifetime: true } as WorkerOptions;
  return new SharedWorker(hubScript, options);
}
