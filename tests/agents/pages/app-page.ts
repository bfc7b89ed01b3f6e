/** The page of an app, with the unmodified client of FINOS. Tests use `agent` and read what its listeners got. */

import { getAgent } from "@finos/fdc3-get-agent";

const contexts: unknown[] = [];
Object.assign(window, { contexts });

const connecting = getAgent({ timeoutMs: 20_000 }).then(async (agent) => {
  await agent.addContextListener(null, (context) => {
    contexts.push(context);
  });
  return agent;
});
Object.assign(window, { connecting });
