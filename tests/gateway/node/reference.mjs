// The reference gateway behind `ws`: what the conformance cases were written against and the benchmarks compare with.
import { createRequire } from "node:module";
import { WebSocketServer } from "ws";

const { create, configure_logging: configureLogging } = createRequire(import.meta.url)(
  "@glue42/gateway-web/node/gateway-web.js",
);

configureLogging({ level: "fatal", appender: () => {} });
const gateway = await create({ clients: { inactive_seconds: 0, buffer_size: 1000 } }).start();
const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.argv[2] ?? 0), perMessageDeflate: false });

server.on("connection", async (socket) => {
  const early = [];
  let client;
  socket.on("message", (data) => {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (client) client.send(message);
    else early.push(message);
  });
  socket.on("close", () => client?.disconnect());
  client = await gateway.connect((_, message) => socket.send(JSON.stringify(message)));
  early.forEach((message) => client.send(message));
  if (socket.readyState > socket.OPEN) client.disconnect();
});
server.on("listening", () => console.log(`listening on ws://127.0.0.1:${server.address().port}`));
