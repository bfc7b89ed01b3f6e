/** One app: its port, and data that must survive an unavailable or restarted agent. */

import { type AppMessage, parseFdc3Message } from "../messages";
import { newId } from "../workspace/new-id";
import type { AppWindow } from "./app-window";
import { ListenerJournal } from "./listener-journal";

const MOST_WAITING = 1000;
const VALIDATE = "WCP4ValidateAppIdentity";
const ACCEPTED = "WCP5ValidateAppIdentityResponse";
const REJECTED = "WCP5ValidateAppIdentityFailedResponse";

export interface ConnectionHost {
  /** Send a message to the agent, if it is available. */
  send(message: object): boolean;
  /** Deliver a broadcast to other apps of this browser, unless only the agent may do so. */
  broadcast(connection: AppConnection, message: AppMessage): boolean;
  /** The agent has accepted the app as this instance. */
  started(connection: AppConnection): void;
  /** The restarted agent no longer accepts the app. */
  rejected(connection: AppConnection, reason: string): void;
}

/**
 * `new`: the app sends its identity. `resuming`: the agent checks whether it still has the instance. `returning`: it
 * does not, so the instance is sent again with its channel and its listeners.
 */
type Phase = "new" | "ready" | "away" | "resuming" | "returning";

export class AppConnection {
  /** The user channel of the instance. */
  channelId: string | null = null;
  private phase: Phase = "away";
  private waiting: AppMessage[] = [];
  private accepted: { readonly instanceId: string; readonly instanceUuid: string } | undefined;
  private introduction: AppMessage | undefined;
  private readonly journal = new ListenerJournal();

  constructor(
    readonly id: string,
    readonly app: AppWindow,
    private readonly port: MessagePort,
    private readonly host: ConnectionHost,
  ) {
    port.onmessage = (event) => {
      const message = parseFdc3Message(event.data);
      if (message !== null) this.fromApp(message);
    };
    port.start();
  }

  get instanceId(): string {
    return this.accepted?.instanceId ?? this.app.instanceId;
  }

  get isStarted(): boolean {
    return this.accepted !== undefined;
  }

  /** Whether the app was accepted, and nothing is pending. */
  get isReady(): boolean {
    return this.phase === "ready";
  }

  /** Send the connection to a newly connected agent. */
  connect(): void {
    if (this.accepted !== undefined) {
      this.phase = "resuming";
      this.host.send({ ...this.facts, instanceUuid: this.accepted.instanceUuid });
    } else if (this.host.send(this.facts)) {
      this.phase = "new";
      this.flush();
    }
  }

  /** Continue: the agent has recognized the instance. */
  resumed(): void {
    this.phase = "ready";
    this.flush();
  }

  /** The agent has ended the connection. The result is false if the app cannot connect again. */
  closedByAgent(): boolean {
    if (this.phase !== "resuming" || this.introduction === undefined) return false;
    this.phase = "returning";
    this.host.send(this.facts);
    this.toAgent(this.introduction);
    return true;
  }

  /** Queue the messages of the app until the agent is available again. */
  interrupted(): void {
    this.phase = "away";
  }

  /** Pass a message of the agent to the app; each one is a separate task there. */
  deliver(message: AppMessage): void {
    if (message.type === ACCEPTED) {
      const { instanceId, instanceUuid } = (message.payload ?? {}) as Record<string, string>;
      this.accepted = { instanceId: instanceId ?? this.app.instanceId, instanceUuid: instanceUuid ?? "" };
      if (this.phase === "returning") {
        this.giveBack();
        return;
      }
      this.port.postMessage(message);
      this.phase = "ready";
      this.host.started(this);
    } else if (message.type === REJECTED && this.phase === "returning") {
      this.host.rejected(this, String(message.payload?.message ?? "The agent does not accept the app"));
    } else if (this.journal.fromAgent(message)) this.port.postMessage(message);
    else if (this.journal.isComplete) this.resumed();
  }

  close(): void {
    this.phase = "away";
    this.waiting = [];
    this.port.onmessage = null;
    this.port.close();
  }

  private get facts(): object {
    const { appId, origin, place } = this.app;
    return { kind: "Connect", connection: this.id, appId, origin, place, instanceId: this.instanceId };
  }

  /** Restore the channel and the listeners of the instance. Its private channels have ended with the earlier agent. */
  private giveBack(): void {
    for (const event of this.journal.endPrivateChannels(newId)) this.port.postMessage(event);
    if (this.channelId !== null) {
      this.host.send({ kind: "SelectChannel", instanceId: this.instanceId, channelId: this.channelId });
    }
    for (const request of this.journal.repeat(newId)) this.toAgent(request);
    if (this.journal.isComplete) this.resumed();
  }

  private fromApp(message: AppMessage): void {
    if (this.phase === "ready" && this.host.broadcast(this, message)) return;
    if (this.phase === "new" || this.phase === "ready") {
      if (message.type === VALIDATE) this.introduction = message;
      if (this.toAgent(this.journal.fromApp(message))) return;
    }
    if (this.waiting.length < MOST_WAITING) this.waiting.push(message);
  }

  private toAgent(message: AppMessage): boolean {
    return this.host.send({ kind: "AppMessage", connection: this.id, message: JSON.stringify(message) });
  }

  private flush(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const message of waiting) this.fromApp(message);
  }
}
