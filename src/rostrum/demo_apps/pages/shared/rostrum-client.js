/**
 * A small client of the gateway for the demo apps: methods, shared contexts, channels, intents, notifications and
 * layouts. It needs the globals that the platform provides to the page of an app (`iodesktop`). Apps of a firm use a
 * published client library instead; this one shows how little is needed.
 */

const CHANNEL = "___channel___";
const INTENT = "Tick42.FDC3.Intents.";
const WAIT_MS = 15_000;
const RETRY_MS = 1_000;

/** Return whether this page runs in a window of the platform. */
export const inPlatform = () => Boolean(window.iodesktop?.gwURL);

/** Connect to the gateway of the platform that shows this page; a lost connection is re-established. */
export async function connect() {
  const client = new Client(window.iodesktop);
  await client.open();
  return client;
}

class Client {
  #desktop;
  #socket;
  #peer;
  #requests = new Map();
  #count = 0;
  #handlers = new Map();
  #methods = new Map();
  #methodListeners = new Set();
  #contexts = new Map();
  #followed = new Map();
  #channels = new Map();
  #channelListeners = new Set();

  constructor(desktop) {
    this.#desktop = desktop;
    this.application = desktop.applicationName ?? desktop.application;
    this.instance = desktop.appInstanceId;
  }

  /** The names of this window's channels: one, or several if the platform supports that. */
  get channels() {
    return [...this.#channels.keys()];
  }

  async open() {
    const token = await this.#desktop.getGWToken();
    const socket = new WebSocket(this.#desktop.gwURL);
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", () => reject(new Error("The gateway cannot be reached.")), { once: true });
    });
    const identity = {
      application: this.application,
      applicationName: this.application,
      instance: this.instance,
      windowId: this.#desktop.windowId,
    };
    const authentication = { method: "gateway-token", token };
    const welcome = await this.#request("global", { type: "hello", identity, authentication });
    this.#peer = welcome.peer_id;
    socket.addEventListener("close", () => this.#lost());
    await this.#request("agm", { type: "join", destination: "agm", domain: "global" });
    for (const [name, { id, flags }] of this.#handlers) await this.#announce(name, id, flags);
  }

  /** The title and the caption of this app. */
  async about() {
    const { applications } = await this.call("Rostrum.Apps.List");
    const app = applications.find(({ name }) => name === this.application);
    return { title: app?.title ?? this.application, caption: app?.caption ?? "" };
  }

  async #lost() {
    for (const { reject } of this.#requests.values()) reject(new Error("The connection to the gateway is lost."));
    this.#requests.clear();
    this.#peer = undefined;
    this.#methods.clear();
    this.#contexts.clear();
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      try {
        await this.open();
        return;
      } catch {
        // The platform restarts, or ends together with this window.
      }
    }
  }

  #request(domain, message) {
    const request_id = String(++this.#count);
    this.#socket.send(JSON.stringify({ domain, request_id, peer_id: this.#peer, ...message }));
    return new Promise((resolve, reject) => this.#requests.set(request_id, { resolve, reject }));
  }

  #receive(message) {
    const handle = this[`_${message.type.replaceAll("-", "_")}`];
    if (handle) handle.call(this, message);
    else this.#answer(message);
  }

  #answer(message) {
    const waiting = this.#requests.get(message.request_id);
    if (!waiting) return;
    this.#requests.delete(message.request_id);
    if (message.type === "error") waiting.reject(new Error(message.reason ?? message.reason_uri));
    else waiting.resolve(message);
  }

  // Methods

  /** Register a method for other apps and the platform. */
  async register(name, handler, flags = {}) {
    const id = String(this.#handlers.size);
    this.#handlers.set(name, { id, handler, flags });
    await this.#announce(name, id, flags);
  }

  #announce(name, id, flags) {
    const methods = [{ id, name, flags: { streaming: false, metadata: {}, ...flags } }];
    return this.#request("agm", { type: "register", methods });
  }

  /** Call a method; if several apps have it, that of the given instance or the first one. */
  async call(name, args = {}, { instance } = {}) {
    const method = await this.#method(name, instance);
    const answer = await this.#request("agm", {
      type: "call",
      server_id: method.server,
      method_id: method.id,
      arguments_kv: args,
    });
    return answer.result ?? {};
  }

  #find(name, instance) {
    for (const server of this.#methods.values()) {
      if (instance && server.identity.instance !== instance) continue;
      for (const method of server.methods.values()) if (method.name === name) return { server: server.id, id: method.id };
    }
    return null;
  }

  /** Wait until a method is registered: apps and services of the platform start one after the other. */
  #method(name, instance) {
    const found = this.#find(name, instance);
    if (found) return found;
    return new Promise((resolve, reject) => {
      const look = () => {
        const now = this.#find(name, instance);
        if (now) done(resolve, now);
      };
      const timer = setTimeout(() => done(reject, new Error(`No app offers ${name}.`)), WAIT_MS);
      const done = (settle, value) => {
        clearTimeout(timer);
        this.#methodListeners.delete(look);
        settle(value);
      };
      this.#methodListeners.add(look);
    });
  }

  _peer_added({ new_peer_id: id, identity }) {
    this.#methods.set(id, { id, identity, methods: new Map() });
  }

  _peer_removed({ removed_id }) {
    this.#methods.delete(removed_id);
  }

  _methods_added({ server_id, methods }) {
    const server = this.#methods.get(server_id);
    for (const method of methods) server?.methods.set(method.id, method);
    for (const listener of [...this.#methodListeners]) listener();
  }

  _methods_removed({ server_id, methods }) {
    for (const id of methods) this.#methods.get(server_id)?.methods.delete(id);
  }

  async _invoke({ invocation_id, method_id, arguments_kv, caller_id }) {
    const send = (message) => this.#socket.send(JSON.stringify({ domain: "agm", peer_id: this.#peer, ...message }));
    try {
      const entry = [...this.#handlers.values()].find(({ id }) => id === method_id);
      const result = (await entry.handler(arguments_kv ?? {}, caller_id)) ?? {};
      send({ type: "yield", invocation_id, result });
    } catch (error) {
      send({ type: "error", request_id: invocation_id, reason_uri: "agm.errors.client_error", reason: error.message });
    }
  }

  // Shared contexts

  /**
   * Subscribe to a shared context; the listener gets its data now, if it exists, and after each change. Returns the
   * function that unsubscribes.
   */
  async follow(name, listener) {
    const followed = this.#followed.get(name) ?? { data: null, listeners: new Set() };
    const isNew = !this.#followed.has(name);
    this.#followed.set(name, followed);
    followed.listeners.add(listener);
    if (isNew) await this.#subscribe(name);
    else if (followed.data) listener(followed.data);
    return () => followed.listeners.delete(listener);
  }

  /** Set members of a shared context by their paths, such as `data.instrument`; it is created when it does not exist. */
  async update(name, values) {
    const commands = Object.entries(values).map(([path, value]) => ({ type: "set", path, value }));
    let id = this.#contexts.get(name);
    if (!id) {
      const created = await this.#request("global", { type: "create-context", name, data: {}, lifetime: "retained" });
      id = created.context_id;
    }
    const delta = { added: {}, updated: {}, removed: [], commands };
    await this.#request("global", { type: "update-context", context_id: id, delta });
    this.#apply(name, delta);
  }

  async #subscribe(name) {
    const id = this.#contexts.get(name);
    if (!id) return;
    const { data } = await this.#request("global", { type: "subscribe-context", context_id: id });
    this.#show(name, data);
  }

  #show(name, data) {
    const followed = this.#followed.get(name);
    if (!followed) return;
    followed.data = data;
    for (const listener of followed.listeners) listener(data);
  }

  #apply(name, { reset, added, updated, removed, commands }) {
    const followed = this.#followed.get(name);
    if (!followed) return;
    let data = reset ?? { ...followed.data, ...added };
    for (const [key, value] of Object.entries(updated ?? {})) {
      data[key] = isObject(data[key]) && isObject(value) ? { ...data[key], ...value } : value;
    }
    for (const key of removed ?? []) delete data[key];
    for (const command of commands ?? []) data = changed(data, command.path.split(".").filter(Boolean), command);
    this.#show(name, data);
  }

  _context_added({ context_id, name }) {
    this.#contexts.set(name, context_id);
    if (this.#followed.has(name)) this.#subscribe(name).catch(() => {});
  }

  _context_updated({ context_id, delta }) {
    for (const [name, id] of this.#contexts) if (id === context_id) this.#apply(name, delta);
  }

  _context_destroyed({ context_id }) {
    for (const [name, id] of this.#contexts) if (id === context_id) this.#contexts.delete(name);
  }

  // Channels

  /** Follow the channels of this window, also when the user selects other ones in the title bar. */
  async onChannel(listener) {
    this.#channelListeners.add(listener);
    if (this.#channelListeners.size > 1) return;
    await this.register("T42.Channels.Command", (args) => this.#command(args));
    await this.#enter((this.#desktop.initialChannel ?? "").split("+++").filter(Boolean));
    await this.call("T42.Channels.Announce", { swId: this.#desktop.windowId, instance: this.instance });
  }

  /** Share data with all windows in the channels of this one; without a channel, only this window shows it. */
  async publish(data) {
    if (this.#channels.size === 0) return this.#tell(data);
    const values = Object.fromEntries(Object.entries(data).map(([key, value]) => [`data.${key}`, value]));
    return Promise.all(this.channels.map((channel) => this.update(CHANNEL + channel, values)));
  }

  async #command({ command, channel, channelsToJoin = [], channelsToLeave = [] }) {
    if (command === "get") return { id: this.channels[0] };
    if (command === "join") await this.#enter([channel]);
    if (command === "leave") await this.#enter([]);
    if (command === "join-multi") await this.#enter([...this.channels, ...channelsToJoin]);
    if (command === "leave-multi") await this.#enter(this.channels.filter((one) => !channelsToLeave.includes(one)));
    return {};
  }

  /** Set the channels of this window. */
  async #enter(wanted) {
    for (const [channel, { stop }] of this.#channels) {
      if (wanted.includes(channel)) continue;
      stop();
      this.#channels.delete(channel);
    }
    this.#tell({});
    for (const channel of wanted.filter((one) => !this.#channels.has(one))) {
      const joined = { stop: () => {}, color: undefined };
      this.#channels.set(channel, joined);
      joined.stop = await this.follow(CHANNEL + channel, ({ data, meta }) => {
        joined.color = meta?.color;
        this.#tell(data ?? {});
      });
    }
  }

  #tell(data) {
    const [first] = this.#channels.values();
    for (const listener of this.#channelListeners) listener(data, this.channels, first?.color);
  }

  // Intents, notifications, layouts

  /** Handle an intent that other apps raise. */
  async onIntent(name, handler) {
    await this.register(INTENT + name, handler, { intent: {} });
  }

  /** Raise an intent: a running app handles it, otherwise a suitable one is started. */
  async raise(name, context) {
    if (!this.#find(INTENT + name)) {
      const { applications } = await this.call("Rostrum.Apps.List");
      const able = applications.find((app) => app.intents?.some((intent) => intent.name === name));
      if (!able) throw new Error(`No app handles ${name}.`);
      const { id } = await this.call("Rostrum.Apps.Start", { name: able.name });
      return this.call(INTENT + name, context, { instance: id });
    }
    return this.call(INTENT + name, context);
  }

  /** Show a notification of this app; the result is the text to show in the page itself. */
  async notify(title, body, severity = "Low") {
    await this.call("Rostrum.Notifications.Raise", { title, body, severity });
    return "";
  }

  /** Set the data that a layout saves for this window, and return the data that was saved in its layout. */
  async saved(current) {
    await this.register("T42.HC.GetSaveContext", () => ({ windowContext: current() }));
    return this.#desktop.context ?? {};
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function changed(data, [key, ...rest], command) {
  if (key === undefined) return command.type === "set" ? (command.value ?? {}) : {};
  const copy = isObject(data) ? { ...data } : {};
  if (rest.length > 0) copy[key] = changed(copy[key], rest, command);
  else if (command.type === "set") copy[key] = command.value;
  else delete copy[key];
  return copy;
}
