/**
 * Forwards the frames of one app between the port of its page and a separate connection to the gateway. The app never
 * receives credentials of its user: the relay writes the sign-in and the identity, and forwards nothing before. The
 * member `relayed` shows the gateway that the peer is an app, not a platform.
 */

import type { AppWindow } from "../agent/app-window";
import { type Asked, parseRelayMessage, type RelayedFrame, type RelayMessage } from "../messages";
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

const HELLO = "hello";
const MOST_WAITING = 100;
const MOST_WAITING_LENGTH = 1024 * 1024;
const NOT_ALLOWED = "The platform does not allow apps to use tokens and activities, or to send this message";

export class Relay {
  /** The ID of the signed-in peer; empty before. */
  peer = "";
  private readonly transport: Transport;
  /** The request with which the library signs in. */
  private asked: Asked | null = null;
  private waiting: RelayedFrame[] = [];
  private waitingLength = 0;
  private isOpen = false;
  private isInterrupted = false;
  private isClosed = false;

  constructor(private readonly options: RelayOptions) {
    this.transport = options.connect({
      opened: () => this.opened(),
      frame: (frame) => this.toApp(frame),
      closed: () => this.interrupted(),
    });
    options.port.onmessage = (event) => {
      const message = parseRelayMessage(event.data);
      if (message !== null) this.fromApp(message);
    };
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
    this.isOpen = true;
    if (this.asked !== null) this.signIn();
  }

  private interrupted(): void {
    if (this.isClosed) return;
    this.isInterrupted = true;
    this.options.interrupted();
  }

  private fromApp(message: RelayMessage): void {
    if (message.kind === "left") this.options.left();
    else if (message.kind === "refused") this.refuse(message.asked, NOT_ALLOWED);
    else if (this.isInterrupted) this.refuse(message.asked, "The gateway cannot be reached at the moment");
    else if (message.kind === "hello") this.hello(message.asked);
    else if (this.peer !== "") this.send(message.frame);
    else if (!this.keep(message)) this.refuse(message.asked, "Too many messages were sent before the sign-in");
  }

  /** Only the time of the sign-in and the ID of the request are the library's. */
  private hello(asked: Asked): void {
    if (this.asked !== null) {
      this.refuse(asked, "The app is already signed in");
      return;
    }
    this.asked = asked;
    if (this.isOpen) this.signIn();
  }

  private signIn(): void {
    const { app, windowId, authentication } = this.options;
    const { appId, instanceId } = app;
    const identity = { application: appId, applicationName: appId, instance: instanceId, windowId, relayed: true };
    // The gateway rejects a second peer with the same identity, and the first one may still be connected.
    const connection = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.transport.send({
      type: "hello",
      domain: "global",
      request_id: HELLO,
      identity: { ...identity, connection },
      authentication,
    });
  }

  private send(frame: RelayedFrame): void {
    this.transport.send({ ...frame, peer_id: this.peer });
  }

  private keep({ frame, length }: { readonly frame: RelayedFrame; readonly length: number }): boolean {
    if (this.waiting.length >= MOST_WAITING || this.waitingLength + length > MOST_WAITING_LENGTH) return false;
    this.waitingLength += length;
    this.waiting.push(frame);
    return true;
  }

  private refuse({ domain, request_id, peer_id }: Asked, reason: string): void {
    if (request_id === undefined) return;
    const reason_uri = `${domain ?? "global"}.errors.not_authorized`;
    this.options.port.postMessage({ type: "error", domain, request_id, peer_id, reason_uri, reason });
  }

  private toApp(frame: Frame): void {
    if (this.isClosed) return;
    if (this.peer !== "") this.options.port.postMessage(frame);
    else if (frame.type === "welcome") this.signedIn(frame);
    else if (frame.type === "error") this.options.port.postMessage({ ...frame, request_id: this.asked?.request_id });
  }

  private signedIn(frame: Frame): void {
    const { port, user } = this.options;
    const { user: found } = (frame.resolved_identity ?? {}) as { user?: unknown };
    if (user !== undefined && found !== user) {
      this.transport.close();
      return;
    }
    this.peer = String(frame.peer_id);
    const { options: _token, ...rest } = frame;
    port.postMessage({ ...rest, request_id: this.asked?.request_id });
    const { waiting } = this;
    this.waiting = [];
    for (const each of waiting) this.send(each);
  }
}
