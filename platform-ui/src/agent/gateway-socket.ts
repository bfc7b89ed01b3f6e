/** The part of the gateway protocol that the FDC3 agent needs: sign-in, one stream of events, one method. */

import type { AgentEvent } from "./agent-events";

const STREAM = "Rostrum.FDC3.Connect";
const METHOD = "Rostrum.FDC3.Send";

/**
 * The credentials of the page: the session cookie of the manager, or a client token; in windows of the desktop a token
 * of the window. Never a password.
 */
export type Credentials =
  | { readonly method: "session" }
  | { readonly method: "access-token" | "gateway-token"; readonly token: string };

export interface SocketEvents {
  /** An event of the agent. */
  event(data: AgentEvent): void;
  /** The connection has ended, or could not be made. */
  closed(reason: string): void;
}

interface Frame {
  readonly type: string;
  readonly request_id?: string;
  readonly peer_id?: string;
  readonly reason?: string;
  readonly resolved_identity?: { readonly user?: string };
  readonly server_id?: string;
  readonly methods?: readonly { readonly id: string | number; readonly name: string }[];
  readonly data?: AgentEvent;
}

interface Method {
  readonly server_id: string | undefined;
  readonly method_id: string | number;
}

/** One connection to the gateway. It is used once: after it has closed, another one is created. */
export class GatewaySocket {
  private readonly socket: WebSocket;
  private readonly methods = new Map<string, Method>();
  private peer: string | undefined;
  private link = "";
  private requests = 0;
  private isSubscribed = false;
  private isClosed = false;

  constructor(
    url: string,
    private readonly credentials: Credentials,
    private readonly events: SocketEvents,
    /** The required user: the cookie may belong to another user by now. */
    private readonly user?: string,
    /**
     * Whether this client serves several apps: it accepts one event for several of them, delivers broadcasts between
     * them, and returns the lease when the agent recalls it.
     */
    private readonly delivers = false,
  ) {
    this.socket = new WebSocket(url);
    this.socket.onopen = () =>
      this.frame({
        type: "hello",
        domain: "global",
        request_id: "hello",
        identity: { application: "rostrum-platform" },
        authentication: this.credentials,
      });
    this.socket.onmessage = (message) => this.receive(JSON.parse(String(message.data)) as Frame);
    this.socket.onclose = (event) => this.end(event.reason || "The connection to the FDC3 agent was interrupted");
  }

  /** Send messages to the agent. */
  send(...messages: readonly object[]): void {
    this.requests += 1;
    this.frame({
      type: "call",
      domain: "agm",
      request_id: `call-${this.requests}`,
      ...this.methods.get(METHOD),
      arguments_kv: { link: this.link, messages },
    });
  }

  close(reason = "The page has closed the connection"): void {
    this.end(reason);
    this.socket.close();
  }

  private receive(frame: Frame): void {
    if (this.isClosed) return;
    if (frame.type === "event" && frame.data !== undefined) {
      if (frame.data.kind === "linked") this.link = frame.data.link;
      this.events.event(frame.data);
    } else if (frame.type === "error" && !frame.request_id?.startsWith("call-")) {
      this.close(frame.reason ?? "The FDC3 agent refused the connection");
    } else if (frame.type === "welcome") {
      if (this.user !== undefined && frame.resolved_identity?.user !== this.user) {
        this.close("Another user is signed in to the manager");
        return;
      }
      this.peer = frame.peer_id;
      this.frame({ type: "join", domain: "global", request_id: "join", destination: "agm" });
    } else if (frame.type === "methods-added") {
      for (const method of frame.methods ?? []) {
        if (method.name === STREAM || method.name === METHOD) {
          this.methods.set(method.name, { server_id: frame.server_id, method_id: method.id });
        }
      }
      this.subscribe();
    }
  }

  private subscribe(): void {
    if (this.isSubscribed || this.methods.size < 2) return;
    this.isSubscribed = true;
    this.frame({
      type: "subscribe",
      domain: "agm",
      request_id: "subscribe",
      ...this.methods.get(STREAM),
      arguments_kv: this.delivers ? { delivers: true, lists: true } : {},
    });
  }

  private frame(members: object): void {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(this.peer === undefined ? members : { ...members, peer_id: this.peer }));
    }
  }

  private end(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.events.closed(reason);
  }
}
