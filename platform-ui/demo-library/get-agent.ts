/** The unmodified FINOS client with which the demo apps find their FDC3 agent in a browser. */

export { getAgent } from "@finos/fdc3-get-agent";
