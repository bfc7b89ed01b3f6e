// Subscribes to a stream with an unmodified client library, and writes each event it gets as a JSON line.
// Arguments: the address, the library, the stream, the arguments of the subscription; ends when its input ends.
import { createRequire } from "node:module";

const [address, library, name, parameters] = process.argv.slice(2);
const create = createRequire(import.meta.url)(library);
const write = (line) => console.log(JSON.stringify(line));

const client = await create({
  application: "subscriber",
  gateway: { ws: address, protocolVersion: 3 },
  auth: { username: "ada", password: "secret" },
  logger: { console: "off", publish: "off" },
  metrics: false,
});
try {
  await client.interop.subscribe(name, {
    arguments: JSON.parse(parameters),
    onData: (event) => write({ data: event.data, private: event.private }),
  });
  write({ peer: client.connection.peerId });
} catch (trouble) {
  write({ refused: trouble.message ?? trouble });
}
process.stdin.on("end", () => process.exit(0)).resume();
