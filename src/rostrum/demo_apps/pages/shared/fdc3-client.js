/**
 * The functions of `rostrum-client.js` that are available in a browser, over FDC3: the page finds the agent of its user
 * with `getAgent()`, like the apps of a firm.
 */

const INSTRUMENT_TYPE = "fdc3.instrument";
const WAIT_MS = 10_000;

/** Return whether another page shows or has opened this one: it may be the browser platform. */
export const inBrowserPlatform = () => window.parent !== window || window.opener !== null;

/** Connect to the agent; throws an error if the surrounding page has none. */
export async function connectToAgent() {
  // `make` builds this file from the client of FINOS.
  const { getAgent } = await import("/shared/get-agent.js");
  const agent = window.fdc3 ?? (await getAgent({ timeoutMs: WAIT_MS }));
  return new AgentClient(agent);
}

class AgentClient {
  #agent;
  #shared = new Map();

  constructor(agent) {
    this.#agent = agent;
  }

  /** The title and the description of this app. */
  async about() {
    const { appMetadata } = await this.#agent.getInfo();
    const { title, description } = await this.#agent.getAppMetadata({ appId: appMetadata.appId });
    return { title: title ?? appMetadata.appId, caption: description ?? "" };
  }

  /** Follow the user channel of this app, and the instrument in it. */
  async onInstrument(listener, channelListener) {
    const showChannel = async () => {
      const channel = await this.#agent.getCurrentChannel();
      channelListener(channel?.displayMetadata?.name ?? channel?.id ?? "No channel", channel?.displayMetadata?.color);
    };
    await this.#agent.addEventListener("userChannelChanged", showChannel);
    await this.#agent.addContextListener(INSTRUMENT_TYPE, (context) => listener(context.id?.ticker));
    const channel = await this.#agent.getCurrentChannel();
    const context = await channel?.getCurrentContext(INSTRUMENT_TYPE);
    if (context) listener(context.id?.ticker);
    await showChannel();
  }

  /** Share an instrument with the apps in the channel of this one. */
  publish(context) {
    return this.#agent.broadcast(context);
  }

  /** Handle an intent that other apps raise. */
  async onIntent(name, handler) {
    await this.#agent.addIntentListener(name, async (context) => {
      await handler(context);
    });
  }

  /** Raise an intent: the platform asks the user if several apps can handle it. */
  async raise(name, context) {
    try {
      await this.#agent.raiseIntent(name, context);
    } catch (error) {
      const texts = { UserCancelledResolution: "Cancelled.", NoAppsFound: `No app handles ${name}.` };
      throw new Error(texts[error.message] ?? `The intent ${name} failed: ${error.message}`);
    }
  }

  /** FDC3 has no notifications: the result is the text to show in the page itself. */
  async notify(title, body) {
    return `${title}. ${body}`;
  }

  // Data that several apps share is a context in an app channel: the newest one is the data.

  /** Follow shared data; the listener gets it now, if it exists, and after each change. */
  async follow(name, listener) {
    const shared = await this.#open(name);
    shared.listeners.add(listener);
    if (shared.data) listener(shared.data);
  }

  /** Set members of shared data by their paths, such as `orders.1`. */
  async update(name, values) {
    const shared = await this.#open(name);
    const data = structuredClone((await shared.channel.getCurrentContext(name))?.data ?? {});
    for (const [path, value] of Object.entries(values)) {
      const keys = path.split(".");
      const last = keys.pop();
      let target = data;
      for (const key of keys) target = target[key] ??= {};
      target[last] = value;
    }
    await shared.channel.broadcast({ type: name, data });
    shared.show(data);
  }

  async #open(name) {
    const known = this.#shared.get(name);
    if (known) return known;
    const channel = await this.#agent.getOrCreateChannel(name);
    const shared = { channel, data: (await channel.getCurrentContext(name))?.data, listeners: new Set() };
    shared.show = (data) => {
      shared.data = data;
      for (const listener of shared.listeners) listener(data);
    };
    this.#shared.set(name, shared);
    await channel.addContextListener(name, ({ data }) => shared.show(data));
    return shared;
  }
}
