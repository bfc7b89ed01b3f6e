// An app of the desk: loses its connection, and comes back by itself with the token it was started with.
import { createRequire } from "node:module";

const require = createRequire(`${process.argv[2]}/`);
const WebSocket = require("ws");
const create = require("@interopio/core").default ?? require("@interopio/core");

const sockets = [];
const connect = WebSocket.prototype.send;
WebSocket.prototype.send = function (...parts) {
  if (!sockets.includes(this)) sockets.push(this);
  return connect.apply(this, parts);
};

const io = await create({
  application: "something else",
  gateway: { ws: process.env.ROSTRUM_GATEWAY, reconnectInterval: 100 },
  auth: { gatewayToken: process.env.ROSTRUM_TOKEN },
  logger: "error",
});
const back = new Promise((resolve) => {
  let lost = false;
  io.connection.disconnected(() => (lost = true));
  io.connection.loggedIn(() => lost && resolve());
});
sockets[0].terminate();
await back;
await io.interop.invoke("Rostrum.Apps.List");
const { application, instance } = io.connection.resolvedIdentity;
console.log(`back as ${application} ${instance}`);
await io.done();
process.exit(0);
