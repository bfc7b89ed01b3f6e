/** What the demo apps find their FDC3 agent with in a browser: the unmodified client of FINOS. */

export { getAgent } from "@finos/fdc3-get-agent";
