/**
 * Forwards the frames of one app between the port of its page and a separate connection to the gateway. The app never
 * receives credentials of its user: the platform signs in for it, and writes its identity. The member `relayed` shows
 * the gateway that the peer is an app, not a platform.
 */

import type { AppWindow } from "../agent/app-window";
import type { Connect, Frame, Transport } from "./transport";

export interface RelayOptions {
  readonly app: AppWindow;
  readonly windowId: string;
  readonly port: MessagePort;
  readonly connect: Connect;
  readonly authentication: object;
  /** The required user: the cookie may belong to another user by now. */
  readonly user: string | undefined;
  /** The page was closed, or has closed the connection itself. */
  readonly left: () => void;
  /** The connection to the gateway has ended. */
  readonly interrupted: () => void;
}

const MOST_WAITING = 100;
/** Domains in which frames do not contain tokens. */
const DOMAINS = ["global", "agm", "bus", "context", "metrics"];

export class Relay {
  peer = "";
  private readonly transport: Transport;
  private waiting: object[] | null = [];
  private isInterrupted = false;
  private isClosed = false;

  constructor(private readonly options: RelayOptions) {
    this.transport = options.connect({
      opened: () => this.opened(),
      frame: (frame) => this.toApp(frame),
      closed: () => this.interrupted(),
    });
    options.port.onmessage = (event) => this.fromApp(event.data);
  }

  /** Let the library reconnect: it then searches the platform, as at its start. */
  restart(): void {
    this.options.port.postMessage({ type: "platformUnload" });
    this.close();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.options.port.onmessage = null;
    this.options.port.close();
    this.transport.close();
  }

  private opened(): void {
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const frame of waiting) this.transport.send(frame);
  }

  private interrupted(): void {
    if (this.isClosed) return;
    this.isInterrupted = true;
    this.options.interrupted();
  }

  private fromApp(data: unknown): void {
    if (typeof data !== "object" || data === null) return;
    const { glue42core } = data as { glue42core?: { type?: unknown } };
    if (glue42core !== undefined) {
      if (glue42core.type === "clientUnload" || glue42core.type === "gatewayDisconnect") this.options.left();
      return;
    }
    const frame = data as Frame;
    if (frame.type === "hello") this.send({ ...frame, ...this.identity() });
    else if (!isAllowed(frame)) this.refuse(frame, "The platform does not allow apps to use tokens and activities");
    else if (this.isInterrupted) this.refuse(frame, "The gateway cannot be reached at the moment");
    else this.send(frame);
  }

  private identity(): object {
    const { app, windowId, authentication } = this.options;
    const { appId, instanceId } = app;
    const identity = { application: appId, applicationName: appId, instance: instanceId, windowId, relayed: true };
    // The gateway rejects a second peer with the same identity, and the first one may still be connected.
    return {
      identity: { ...identity, connection: crypto.getRandomValues(new Uint32Array(2)).join("-") },
      authentication,
    };
  }

  private send(frame: object): void {
    if (this.waiting === null) this.transport.send(frame);
    else if (this.waiting.length < MOST_WAITING) this.waiting.push(frame);
  }

  private refuse({ domain, request_id, peer_id }: Frame, reason: string): void {
    if (request_id === undefined) return;
    const reason_uri = `${domain ?? "global"}.errors.not_authorized`;
    this.options.port.postMessage({ type: "error", domain, request_id, peer_id, reason_uri, reason });
  }

  private toApp(frame: Frame): void {
    if (this.isClosed) return;
    if (frame.type !== "welcome") {
      this.options.port.postMessage(frame);
      return;
    }
    const { port, user } = this.options;
    const { user: found } = (frame.resolved_identity ?? {}) as { user?: unknown };
    if (user !== undefined && found !== user) {
      this.transport.close();
      return;
    }
    this.peer = String(frame.peer_id);
    const { options: _token, ...rest } = frame;
    port.postMessage(rest);
  }
}

function isAllowed({ type, domain, destination }: Frame): boolean {
  return (
    type !== "create-token" &&
    [domain ?? "global", destination ?? "global"].every((each) => DOMAINS.includes(String(each)))
  );
}
