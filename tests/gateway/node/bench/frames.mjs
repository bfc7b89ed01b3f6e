// Bare WebSocket load: echoes, one sender to many receivers, idle connections.
import WebSocket from "ws";
import { carryOut, repeat } from "./orders.mjs";

let sockets = [];

const opened = (address) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { perMessageDeflate: false });
    socket.once("open", () => resolve(socket)).once("error", reject);
  });

await carryOut({
  async connect({ address, count }) {
    for (let left = count; left > 0; left -= 50) {
      sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, left) }, () => opened(address)))));
    }
  },

  async echo({ count, width, size }) {
    const text = "e".padEnd(size, "x");
    return repeat(count, width, (number) => {
      const socket = sockets[number % sockets.length];
      const queue = (socket.waiting ??= listen(socket));
      return new Promise((resolve) => {
        queue.push(resolve);
        socket.send(text);
      });
    });
  },

  async fanOut({ count, size }) {
    const text = "f".padEnd(size, "x");
    let left = 0;
    let done;
    for (const socket of sockets) {
      socket.on("message", () => --left === 0 && done());
    }
    return repeat(count, 1, () => {
      left = sockets.length;
      return new Promise((resolve) => {
        done = resolve;
        sockets[0].send(text);
      });
    });
  },

  async disconnect() {
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve).close())));
    sockets = [];
  },
});

function listen(socket) {
  const queue = [];
  socket.on("message", () => queue.shift()());
  return queue;
}
