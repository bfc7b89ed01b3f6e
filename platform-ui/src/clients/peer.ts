/** The peer of the platform on the gateway: it registers methods and streams for apps, and calls their methods. */

import type { Connect, Frame, Transport } from "./transport";

export type Json = Record<string, unknown>;

export interface Identity {
  readonly application?: string;
  readonly instance?: string;
  readonly windowId?: string;
}

/** A method of another peer. */
export interface RemoteMethod {
  readonly server: string;
  readonly id: string | number;
  readonly name: string;
  readonly flags: Json;
}

export interface PeerEvents {
  /** The peer has signed in and received the list of other peers. */
  ready(): void;
  /** Another peer has registered a method. */
  methodAdded(method: RemoteMethod): void;
  closed(reason: string): void;
}

interface Definition {
  readonly id: string | number;
  readonly name: string;
  readonly flags?: Json;
}

type Handler = (args: Json, caller: string) => unknown;

const CALL_MS = 30_000;

/** One connection. It is used once: after it has closed, another one is created. */
export class Peer {
  id = "";
  private readonly transport: Transport;
  private readonly handlers = new Map<string, Handler>();
  private readonly subscriptions = new Map<string, string>();
  private readonly waiting = new Map<string, { resolve(frame: Frame): void; reject(error: Error): void }>();
  private readonly others = new Map<string, Identity>();
  private readonly methods = new Map<string, Map<string | number, RemoteMethod>>();
  private readonly contexts = new Map<string, string>();
  private requests = 0;
  private isClosed = false;

  constructor(
    connect: Connect,
    /** With the required user: the cookie may belong to another user by now. */
    private readonly hello: { readonly identity: Json; readonly authentication: object; readonly user?: string },
    private readonly events: PeerEvents,
  ) {
    this.transport = connect({
      opened: () => void this.signIn(),
      frame: (frame) => this.receive(frame),
      closed: (reason) => this.closed(reason),
    });
  }

  close(): void {
    this.transport.close();
  }

  async register(name: string, handler: Handler): Promise<void> {
    this.handlers.set(name, handler);
    await this.request({ type: "register", domain: "agm", methods: [{ id: name, name, flags: {} }] });
  }

  /** Register a stream; all subscribers receive published data. */
  async stream(name: string): Promise<void> {
    await this.request({ type: "register", domain: "agm", methods: [{ id: name, name, flags: { streaming: true } }] });
  }

  publish(stream: string, data: unknown): void {
    this.transport.send({ type: "publish", domain: "agm", peer_id: this.id, stream_id: stream, data });
  }

  /** Send data to the subscriptions of one peer. */
  post(stream: string, peer: string, data: unknown): void {
    for (const [subscription, owner] of this.subscriptions) {
      if (owner !== `${stream} ${peer}`) continue;
      this.transport.send({ type: "post", domain: "agm", peer_id: this.id, subscription_id: subscription, data });
    }
  }

  async call(method: RemoteMethod, args: object, timeoutMS = CALL_MS): Promise<Json> {
    const { server, id } = method;
    const call = { type: "call", domain: "agm", server_id: server, method_id: id, arguments_kv: args };
    const { result } = await this.request(call, timeoutMS);
    return (result ?? {}) as Json;
  }

  /** List the methods of other peers whose names begin with a prefix. */
  known(prefix: string): RemoteMethod[] {
    return [...this.methods.values()]
      .flatMap((each) => [...each.values()])
      .filter(({ name }) => name.startsWith(prefix));
  }

  identityOf(peer: string): Identity {
    return this.others.get(peer) ?? {};
  }

  /** Create a context with its initial data. */
  async createContext(name: string, data: unknown): Promise<void> {
    const made = { type: "create-context", domain: "global", name, data, lifetime: "retained" };
    this.contexts.set(name, String((await this.request(made)).context_id));
  }

  async destroyContext(name: string): Promise<void> {
    const context = this.contexts.get(name);
    if (context === undefined) return;
    this.contexts.delete(name);
    await this.request({ type: "destroy-context", domain: "global", context_id: context });
  }

  private async signIn(): Promise<void> {
    try {
      const { user, ...hello } = this.hello;
      const { peer_id, resolved_identity } = await this.request({ type: "hello", domain: "global", ...hello });
      const { user: found } = (resolved_identity ?? {}) as { user?: unknown };
      if (user !== undefined && found !== user) throw new Error("Another user is signed in to the manager");
      this.id = String(peer_id);
      await this.request({ type: "join", domain: "global", destination: "agm" });
      this.events.ready();
    } catch (error) {
      this.closed(error instanceof Error ? error.message : String(error));
      this.transport.close();
    }
  }

  private request(frame: Json & { type: string }, timeoutMS = CALL_MS): Promise<Frame> {
    this.requests += 1;
    const request_id = `platform-${this.requests}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(request_id);
        reject(new Error("The gateway or the app has not answered in time"));
      }, timeoutMS);
      const done = () => clearTimeout(timer);
      this.waiting.set(request_id, {
        resolve: (answer) => [done(), resolve(answer)],
        reject: (error) => [done(), reject(error)],
      });
      this.transport.send({ ...frame, request_id, ...(this.id ? { peer_id: this.id } : {}) });
    });
  }

  private receive(frame: Frame): void {
    const waiting = this.waiting.get(String(frame.request_id));
    if (waiting !== undefined) {
      this.waiting.delete(String(frame.request_id));
      if (frame.type === "error") waiting.reject(new Error(String(frame.reason)));
      else waiting.resolve(frame);
    } else if (frame.type === "invoke") {
      void this.invoke(frame);
    } else if (frame.type === "add-interest") {
      const { subscription_id, method_id, caller_id } = frame;
      this.subscriptions.set(String(subscription_id), `${method_id} ${caller_id}`);
      this.transport.send({ type: "accepted", domain: "agm", peer_id: this.id, subscription_id, stream_id: method_id });
    } else if (frame.type === "remove-interest") {
      this.subscriptions.delete(String(frame.subscription_id));
    } else {
      this.presence(frame);
    }
  }

  private presence(frame: Frame): void {
    const server = String(frame.server_id);
    if (frame.type === "peer-added") {
      this.others.set(String(frame.new_peer_id), (frame.identity ?? {}) as Identity);
    } else if (frame.type === "peer-removed") {
      this.others.delete(String(frame.removed_id));
      this.methods.delete(String(frame.removed_id));
    } else if (frame.type === "methods-added") {
      const methods = this.methods.get(server) ?? new Map();
      this.methods.set(server, methods);
      for (const { id, name, flags } of frame.methods as readonly Definition[]) {
        const method = { server, id, name, flags: flags ?? {} };
        methods.set(id, method);
        this.events.methodAdded(method);
      }
    } else if (frame.type === "methods-removed") {
      for (const id of frame.methods as readonly (string | number)[]) this.methods.get(server)?.delete(id);
    }
  }

  private async invoke(frame: Frame): Promise<void> {
    const { invocation_id, method_id, caller_id } = frame;
    const known = { domain: "agm", peer_id: this.id };
    try {
      const handler = this.handlers.get(String(method_id));
      const result = await handler?.((frame.arguments_kv ?? {}) as Json, String(caller_id));
      this.transport.send({ ...known, type: "yield", invocation_id, result: result ?? {} });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const reason_uri = "agm.errors.client_error";
      this.transport.send({ ...known, type: "error", request_id: invocation_id, reason_uri, reason });
    }
  }

  private closed(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const each of waiting) each.reject(new Error(reason));
    this.events.closed(reason);
  }
}
