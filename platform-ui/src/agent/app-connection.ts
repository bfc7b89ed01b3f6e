/** One app of the page: its port, and what must not be lost while the agent cannot be reached. */

import type { AppWindow } from "./app-window";

const MOST_WAITING = 1000;

export interface Uplink {
  /** Send a message to the agent, unless the agent cannot be reached. */
  send(message: object): boolean;
}

export class AppConnection {
  private waiting: string[] = [];
  private isReady = false;
  private instanceId: string | undefined;
  /** Proves the identity of the instance to the agent. It stays in the memory of the page. */
  private instanceUuid: string | undefined;

  constructor(
    readonly id: string,
    readonly app: AppWindow,
    private readonly port: MessagePort,
    private readonly uplink: Uplink,
  ) {
    port.onmessage = (event) => this.fromApp(JSON.stringify(event.data));
    port.start();
  }

  /** Introduce the connection to an agent that was just linked. */
  connect(): void {
    const { appId, origin, place } = this.app;
    const known = { kind: "Connect", connection: this.id, appId, origin, place };
    const instanceId = this.instanceId ?? this.app.instanceId;
    if (this.instanceUuid === undefined) {
      this.isReady = this.uplink.send({ ...known, instanceId });
      this.flush();
    } else {
      this.uplink.send({ ...known, instanceId, instanceUuid: this.instanceUuid });
    }
  }

  /** Continue: the agent has recognised the instance. */
  resumed(): void {
    this.isReady = true;
    this.flush();
  }

  /** Keep the messages of the app until the agent can be reached again. */
  interrupted(): void {
    this.isReady = false;
  }

  /** Give a message of the agent to the app; each one is a task of its own there. */
  deliver(payload: unknown): void {
    const { type, payload: content } = payload as { type?: string; payload?: Record<string, string> };
    if (type === "WCP5ValidateAppIdentityResponse") {
      this.instanceId = content?.instanceId;
      this.instanceUuid = content?.instanceUuid;
    }
    this.port.postMessage(payload);
  }

  close(): void {
    this.isReady = false;
    this.waiting = [];
    this.port.onmessage = null;
    this.port.close();
  }

  private fromApp(message: string): void {
    if (!this.isReady || !this.uplink.send({ kind: "AppMessage", connection: this.id, message })) {
      if (this.waiting.length < MOST_WAITING) this.waiting.push(message);
    }
  }

  private flush(): void {
    if (!this.isReady) return;
    const { waiting } = this;
    this.waiting = [];
    for (const message of waiting) this.fromApp(message);
  }
}
