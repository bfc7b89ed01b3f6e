/**
 * `window.fdc3` in windows of the desktop: the client of FINOS, connected to the FDC3 agent on the desktop's gateway.
 * The desktop injects this script before the scripts of the page. `window.fdc3` exists immediately, so that
 * `getAgent()` and pages that read it find it; its functions wait for the connection.
 */

import {
  AbstractMessaging,
  DefaultAppSupport,
  DefaultChannelSupport,
  DefaultHeartbeatSupport,
  DefaultIntentSupport,
  DesktopAgentProxy,
} from "@finos/fdc3-agent-proxy";
import { type DesktopAgent, LogLevel } from "@finos/fdc3-standard";
import { GatewaySocket } from "../src/agent/gateway-socket";

const CONNECTION = "window";
const EXCHANGE_TIMEOUT = 10_000;
const LAUNCH_TIMEOUT = 100_000;
const FUNCTIONS = [
  "open",
  "findIntent",
  "findIntentsByContext",
  "findInstances",
  "broadcast",
  "raiseIntent",
  "raiseIntentForContext",
  "addIntentListener",
  "addContextListener",
  "addEventListener",
  "getUserChannels",
  "getSystemChannels",
  "joinUserChannel",
  "joinChannel",
  "getOrCreateChannel",
  "createPrivateChannel",
  "getCurrentChannel",
  "leaveCurrentChannel",
  "getInfo",
  "getAppMetadata",
] as const;

interface Platform {
  readonly gwURL: string;
  getGWToken(): Promise<string>;
}

interface Identity {
  readonly appId: string;
  readonly instanceId: string;
}

type Message = { readonly type: string; readonly payload: Record<string, unknown> };

class Messaging extends AbstractMessaging {
  private readonly listeners = new Map<string, { filter(message: unknown): boolean; action(message: unknown): void }>();

  constructor(
    identity: Identity,
    private readonly send: (message: object) => void,
  ) {
    super(identity);
  }

  receive(message: unknown): void {
    for (const listener of [...this.listeners.values()]) {
      if (listener.filter(message)) listener.action(message);
    }
  }

  createUUID(): string {
    return crypto.randomUUID();
  }

  async post(message: object): Promise<void> {
    this.send(message);
  }

  register(listener: { id: string | null; filter(message: unknown): boolean; action(message: unknown): void }): void {
    this.listeners.set(listener.id ?? "", listener);
  }

  unregister(id: string): void {
    this.listeners.delete(id);
  }

  createMeta() {
    return { requestUuid: this.createUUID(), timestamp: new Date(), source: this.getAppIdentifier() };
  }

  async disconnect(): Promise<void> {
    this.send({ type: "WCP6Goodbye", meta: { timestamp: new Date() } });
  }
}

/** The platform resolves intents and selects channels. */
const NOTHING = {
  connect: async () => undefined,
  disconnect: async () => undefined,
  updateChannel: () => undefined,
  setChannelChangeCallback: () => undefined,
  chooseIntent: async () => undefined,
};

async function connected(platform: Platform): Promise<DesktopAgent> {
  const token = await platform.getGWToken();
  const { socket, messaging } = await new Promise<{ socket: GatewaySocket; messaging: Messaging }>(
    (resolve, reject) => {
      let messaging: Messaging | undefined;
      const send = (message: object) =>
        socket.send({ kind: "AppMessage", connection: CONNECTION, message: JSON.stringify(message) });
      const receive = (message: Message) => {
        if (messaging !== undefined) messaging.receive(message);
        else if (message.type === "WCP5ValidateAppIdentityResponse") {
          messaging = new Messaging(message.payload as unknown as Identity, send);
          resolve({ socket, messaging });
        } else reject(new Error(String(message.payload?.message)));
      };
      const socket = new GatewaySocket(
        platform.gwURL,
        { method: "gateway-token", token },
        {
          event: (event) => {
            if (event.kind === "linked") {
              socket.send({ kind: "Connect", connection: CONNECTION });
              send({
                type: "WCP4ValidateAppIdentity",
                payload: { identityUrl: location.href, actualUrl: location.href },
                meta: { connectionAttemptUuid: crypto.randomUUID(), timestamp: new Date() },
              });
            } else if (event.kind === "message") receive(event.payload as Message);
            else if (event.kind === "unavailable" || event.kind === "close") reject(new Error(event.reason));
          },
          closed: (reason) => reject(new Error(reason)),
        },
      );
    },
  );
  // biome-ignore lint/suspicious/noExplicitAny: the parts that belong to the platform have no other form here
  const own = NOTHING as any;
  // biome-ignore lint/suspicious/noExplicitAny: the client's own types of messages are not exported
  const through = messaging as any;
  const heartbeats = new DefaultHeartbeatSupport(through);
  const channels = new DefaultChannelSupport(through, own, EXCHANGE_TIMEOUT);
  const intents = new DefaultIntentSupport(through, own, EXCHANGE_TIMEOUT, LAUNCH_TIMEOUT);
  const apps = new DefaultAppSupport(through, EXCHANGE_TIMEOUT, LAUNCH_TIMEOUT);
  const agent = new DesktopAgentProxy(heartbeats, channels, intents, apps, [heartbeats], LogLevel.WARN);
  await agent.connect();
  window.addEventListener("pagehide", (event) => {
    if (!event.persisted) {
      void messaging.disconnect();
      socket.close();
    }
  });
  return agent;
}

const platform = (window as unknown as { iodesktop?: Platform }).iodesktop;
if (platform !== undefined) {
  const agent = connected(platform);
  // The functions below report the reason to their callers.
  agent.catch(() => undefined);
  const fdc3: Record<string, unknown> = {};
  for (const name of FUNCTIONS) {
    fdc3[name] = async (...given: unknown[]) => {
      const found = (await agent) as unknown as Record<string, (...given: unknown[]) => unknown>;
      return found[name]?.(...given);
    };
  }
  Object.defineProperty(window, "fdc3", { value: fdc3, writable: true, configurable: true });
  window.dispatchEvent(new Event("fdc3Ready"));
}
