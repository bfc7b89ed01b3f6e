// Section 3: who a client is after it has signed in, by each way of doing so.
import { equal, leave, ok, refused, section, settled, until } from "../harness.mjs";

const { test, beyond } = section(import.meta.url);

test("a user name and a secret give a peer id and a resolved identity", async ({ connect, user }) => {
  const { connection, interop } = await connect("demo");

  ok(connection.peerId);
  equal(connection.resolvedIdentity.user, user);
  equal(connection.resolvedIdentity.login, user);
  equal(connection.resolvedIdentity.application, "demo");
  ok(connection.resolvedIdentity.machine);
  ok(connection.resolvedIdentity.instance);
  equal(interop.instance.peerId, connection.peerId);
  equal(interop.instance.user, user);
});

test("the domains are listed with versions that switch on path commands", async ({ connect }) => {
  const { connection, contexts } = await connect();
  const versions = Object.fromEntries(connection.availableDomains.map(({ uri, version }) => [uri, version]));

  for (const domain of ["global", "agm", "bus", "context", "metrics"]) equal(typeof versions[domain], "number", domain);
  ok(versions.context >= 2);
  ok(contexts.setPathSupported);
});

test("attributes of a client's own choice stay in its identity", async ({ connect }) => {
  const { connection } = await connect("demo", { identity: { desk: "rates", floor: 4 } });

  equal(connection.resolvedIdentity.desk, "rates");
  equal(connection.resolvedIdentity.floor, 4);
});

test("a client cannot choose whose it is", async ({ connect, user }) => {
  const witness = await connect("witness");
  await connect("demo", { identity: { user: "somebody-else", login: "somebody-else" } });
  await settled(witness);

  const seen = witness.interop.servers().find(({ application }) => application === "demo");
  equal(seen.user, user);
});

test("a question mark in the identity becomes the peer id", async ({ connect }) => {
  const { connection } = await connect("demo", { identity: { windowId: "?" } });

  equal(connection.resolvedIdentity.windowId, connection.peerId);
});

test("two clients without an instance get different ones", async ({ connectAll }) => {
  const [one, other] = await connectAll("demo", "demo");

  ok(one.connection.peerId !== other.connection.peerId);
  ok(one.interop.instance.instance !== other.interop.instance.instance);
});

test("the access token of a sign-in signs the same user in", async ({ connect, user }) => {
  const first = await connect("first");
  const second = await connect("second", { auth: { token: first.connection.token } });

  equal(second.connection.resolvedIdentity.user, user);
  equal(second.connection.resolvedIdentity.login, user);
  ok(second.connection.token);
});

test("an access token may be given as plain text", async ({ connect, user }) => {
  const first = await connect("first");
  const second = await connect("second", { auth: first.connection.token });

  equal(second.connection.resolvedIdentity.user, user);
});

test("a gateway token signs the same user in", async ({ connect, user }) => {
  const first = await connect("first");
  const token = await first.connection.authToken();
  const second = await connect("second", { auth: { gatewayToken: token } });
  const third = await connect("third", { auth: { gatewayToken: token } });

  equal(second.connection.resolvedIdentity.user, user);
  equal(third.connection.resolvedIdentity.user, user);
});

test("a forged access token is refused", async ({ connect }) => {
  const { connection } = await connect();

  await refused(connect("thief", { auth: { token: forged(connection.token) } }));
});

test("a forged gateway token is refused", async ({ connect }) => {
  const { connection } = await connect();

  await refused(connect("thief", { auth: { gatewayToken: forged(await connection.authToken()) } }));
});

test("something that is no token at all is refused", async ({ connect }) => {
  await refused(connect("thief", { auth: { token: "anything" } }));
  await refused(connect("thief", { auth: { gatewayToken: "anything" } }));
});

test("an unknown authentication provider is refused", async ({ connect }) => {
  await refused(connect("demo", { auth: { provider: "nobody-knows" } }));
});



beyond("a gateway that checks secrets lets only the right ones in", async ({ connect, startGateway, usersFile }) => {
  const { address } = await startGateway(0, "--users", usersFile);
  const as = (username, password) => connect("demo", { address, auth: { username, password } });
  await refused(as("ada", "wrong"));
  await refused(as("ada", ""));
  await refused(as("bob", "the right one"));
  const client = await as("ada", "the right one");

  equal(client.connection.resolvedIdentity.user, "ada");
  equal((await connect("again", { address, auth: client.connection.token })).connection.resolvedIdentity.user, "ada");
});

beyond("the case of a user name does not matter", async ({ connect, user }) => {
  const one = await connect("one");
  const other = await connect("other", { auth: { username: user.toUpperCase(), password: "secret" } });
  await one.interop.register("Conformance.Answer", () => ({ answer: 42 }));

  equal((await other.interop.invoke("Conformance.Answer")).returned, { answer: 42 });
});

test("an identity that is connected already is refused, and free again when its client has left", async ({ connect }) => {
  const identity = { instance: "window-1", process: 7, api: "any" };
  const first = await connect("demo", { identity });
  await refused(connect("demo", { identity }));
  await leave(first);

  const again = await until(() => connect("demo", { identity }).catch(() => undefined), "the identity is free");
  equal(again.connection.resolvedIdentity.instance, "window-1");
});

function forged(token) {
  const [head, body, signature] = token.split(".");
  const claims = { ...JSON.parse(Buffer.from(body, "base64url")), user: "root" };
  return [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
}
