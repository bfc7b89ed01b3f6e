/** The hub of one browser and one user, in a SharedWorker. */

import { Hub } from "./hub";

const hub = new Hub();
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };
scope.onconnect = (event) => {
  const [port] = event.ports;
  if (port !== undefined) hub.attach(port);
};
