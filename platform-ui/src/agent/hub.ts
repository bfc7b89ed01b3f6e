/**
 * The apps of all pages of one browser, on one WebSocket to the user's FDC3 agent. It runs in a SharedWorker, so that
 * reloading a platform page interrupts neither the connection nor the apps in windows; without SharedWorker, it runs in
 * the page.
 */

import { type AppMessage, parseToHub } from "../messages";
import { newId } from "../workspace/new-id";
import type { AgentEvent, UserChannel } from "./agent-events";
import { AppConnection, type ConnectionHost } from "./app-connection";
import type { AppWindow } from "./app-window";
import { DelayedReports } from "./delayed-reports";
import { DeliveryLease } from "./delivery-lease";
import { type Credentials, GatewaySocket } from "./gateway-socket";
import type { Question, ToHub, ToPage } from "./hub-messages";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

export class Hub implements ConnectionHost {
  /** The pages, the newest one last. */
  private readonly pages = new Set<MessagePort>();
  private readonly owners = new Map<AppConnection, MessagePort>();
  private readonly connections = new Map<string, AppConnection>();
  /** Pending questions of the agent, and the page that received each. */
  private readonly questions = new Map<string, { readonly question: Question; page: MessagePort | undefined }>();
  private readonly lease = new DeliveryLease(newId);
  /** Reports that the connection loses are kept by the lease. */
  private readonly reports = new DelayedReports((reports) => this.socket?.send(...reports));
  private channels: readonly UserChannel[] = [];
  private socket: GatewaySocket | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private target: { readonly url: string; readonly user: string | undefined } | undefined;
  /** The page that was requested to provide credentials. */
  private asked: MessagePort | undefined;
  private isLinked = false;
  private isStopped = false;
  private reason = "";
  private pause = FIRST_PAUSE;

  /** Serve a page, whose first message contains the gateway. */
  attach(page: MessagePort): void {
    page.onmessage = (event) => {
      const message = parseToHub(event.data);
      if (message !== null) this.fromPage(page, message, event.ports[0]);
    };
    // Also received when the page has ended without a message. Older browsers do not have this event.
    page.addEventListener("close", () => this.left(page));
    page.start();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.retry);
    for (const each of this.connections.values()) each.close();
    this.reports.close();
    this.socket?.close();
  }

  /** Send queued reports: the page of the hub ends, and with it the thread. */
  flush(): void {
    this.reports.flush();
  }

  send(message: object): boolean {
    if (!this.isLinked || this.socket === undefined) return false;
    this.reports.flush();
    this.lease.count();
    this.socket.send(message);
    return true;
  }

  broadcast(connection: AppConnection, message: AppMessage): boolean {
    const route = this.lease.route(connection.id, message);
    const receivers = route?.receivers.map((id) => this.connections.get(id));
    if (route === undefined || !receivers?.every((each) => each?.isReady)) return false;
    const delivery = this.lease.deliver(route, message);
    if (delivery === undefined) return false;
    for (const each of receivers) each?.deliver(delivery.event);
    this.reports.add(delivery.report);
    return true;
  }

  started(connection: AppConnection): void {
    this.tellOwner(connection, {
      kind: "started",
      instanceId: connection.instanceId,
      channelId: connection.channelId,
    });
  }

  rejected(connection: AppConnection, reason: string): void {
    this.tellOwner(connection, { kind: "refused", app: connection.app, reason });
    this.disconnect((each) => each === connection);
  }

  private fromPage(page: MessagePort, message: ToHub, port: MessagePort | undefined): void {
    switch (message.kind) {
      case "attach":
        this.entered(page, message.url, message.user);
        break;
      case "credentials":
        if (page === this.asked) this.connect(message.credentials);
        break;
      case "noCredentials":
        if (page === this.asked) this.interrupted(message.reason);
        break;
      case "app":
        if (port !== undefined) this.connected(page, message.app, port);
        break;
      case "gone":
        this.disconnect((each) => each.app.place === message.place);
        break;
      case "selectChannel":
        this.send({ kind: "SelectChannel", instanceId: message.instanceId, channelId: message.channelId });
        break;
      case "answer":
        this.questions.delete(message.request);
        this.send(message.message);
        break;
      case "leave":
        this.left(page);
        break;
    }
  }

  private entered(page: MessagePort, url: string, user: string | undefined): void {
    this.pages.add(page);
    this.target = { url, user };
    this.tell(page, { kind: "status", isConnected: this.isLinked, reason: this.reason });
    this.tell(page, { kind: "channels", channels: this.channels });
    for (const connection of this.connections.values()) {
      if (this.owners.has(connection)) continue;
      // A window that the page opened before it was reloaded.
      this.owners.set(connection, page);
      if (connection.isStarted) this.started(connection);
    }
    for (const asked of this.questions.values()) {
      if (asked.page !== undefined) continue;
      asked.page = page;
      this.tell(page, asked.question);
    }
    if (this.socket === undefined && this.retry === undefined && this.asked === undefined) this.open();
  }

  private left(page: MessagePort): void {
    if (!this.pages.delete(page)) return;
    // The worker ends with its last page.
    this.reports.flush();
    page.close();
    for (const asked of this.questions.values()) if (asked.page === page) asked.page = undefined;
    const lost = [...this.owners].filter(([, owner]) => owner === page).map(([connection]) => connection);
    for (const connection of lost) this.owners.delete(connection);
    this.disconnect((each) => lost.includes(each) && !each.app.outlivesPage);
    if (page === this.asked) this.open();
  }

  private open(): void {
    this.retry = undefined;
    // Without a page, no sign-in is possible; the next page opens the connection.
    this.asked = [...this.pages].at(-1);
    if (this.asked !== undefined) this.tell(this.asked, { kind: "credentials" });
  }

  private connect(credentials: Credentials): void {
    this.asked = undefined;
    if (this.target === undefined || this.isStopped) return;
    const { url, user } = this.target;
    try {
      const events = {
        event: (event: AgentEvent) => this.event(event),
        closed: (reason: string) => this.interrupted(reason),
      };
      this.socket = new GatewaySocket(url, credentials, events, user, true);
    } catch (error) {
      this.interrupted(error instanceof Error ? error.message : String(error));
    }
  }

  private interrupted(reason: string): void {
    this.isLinked = false;
    this.socket = undefined;
    this.asked = undefined;
    this.lease.interrupted();
    this.reports.clear();
    for (const each of this.connections.values()) each.interrupted();
    if (this.isStopped) return;
    this.become(false, reason);
    this.retry = setTimeout(() => this.open(), this.pause * (0.5 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  private event(event: AgentEvent): void {
    switch (event.kind) {
      case "message":
        for (const id of "connections" in event ? event.connections : [event.connection]) {
          this.connections.get(id)?.deliver(event.payload as AppMessage);
        }
        break;
      case "linked":
        this.linked(event);
        break;
      case "unavailable":
        this.socket?.close(event.reason);
        break;
      case "channels":
        this.setChannels(event.channels);
        break;
      case "channelChanged":
        this.channelChanged(event.instanceId, event.channelId);
        break;
      case "resumed":
        this.connections.get(event.connection)?.resumed();
        break;
      case "close":
        this.closedByAgent(event.connection, event.reason);
        break;
      case "lease":
        this.lease.update(event);
        break;
      case "recall":
        this.lease.recalled();
        this.send({ kind: "LeaseReturned", lease: event.lease });
        break;
      case "choiceEnded":
        this.withdraw(event.request);
        break;
      case "open":
      case "choose":
        this.ask(event);
        break;
    }
  }

  private linked(event: Extract<AgentEvent, { kind: "linked" }>): void {
    this.isLinked = true;
    this.pause = FIRST_PAUSE;
    this.setChannels(event.channels);
    for (const { instanceId, channelId } of event.instances) this.channelChanged(instanceId, channelId);
    const delivered = this.lease.linked();
    for (const each of this.connections.values()) each.connect();
    // The agent did not confirm these before the connection was interrupted.
    for (const each of delivered) this.socket?.send(each);
    this.become(true, "");
  }

  private ask(question: Question): void {
    const source = [...this.owners].find(([connection]) => connection.instanceId === question.source);
    const page = source?.[1] ?? [...this.pages].at(-1);
    this.questions.set(question.request, { question, page });
    if (page !== undefined) this.tell(page, question);
  }

  private withdraw(request: string): void {
    const page = this.questions.get(request)?.page;
    this.questions.delete(request);
    if (page !== undefined) this.tell(page, { kind: "withdrawn", request });
  }

  private connected(page: MessagePort, app: AppWindow, port: MessagePort): void {
    // The page was reloaded: its earlier frames no longer exist.
    this.disconnect((each) => each.app.place === app.place);
    const connection = new AppConnection(newId(), app, port, this);
    this.connections.set(connection.id, connection);
    this.owners.set(connection, page);
    port.addEventListener("close", () => this.disconnect((each) => each === connection));
    if (this.isLinked) connection.connect();
  }

  private disconnect(isMeant: (connection: AppConnection) => boolean): void {
    for (const [id, connection] of this.connections) {
      if (!isMeant(connection)) continue;
      this.connections.delete(id);
      connection.close();
      this.send({ kind: "Disconnect", connection: id });
      this.tellOwner(connection, { kind: "ended", instanceId: connection.instanceId });
      this.owners.delete(connection);
    }
  }

  private closedByAgent(id: string, reason: string): void {
    const connection = this.connections.get(id);
    if (connection === undefined || connection.closedByAgent()) return;
    this.rejected(connection, reason);
  }

  private channelChanged(instanceId: string, channelId: string | null): void {
    for (const connection of this.connections.values()) {
      if (connection.instanceId === instanceId) connection.channelId = channelId;
    }
    for (const page of this.pages) this.tell(page, { kind: "channelChanged", instanceId, channelId });
  }

  private setChannels(channels: readonly UserChannel[]): void {
    this.channels = channels;
    for (const page of this.pages) this.tell(page, { kind: "channels", channels });
  }

  private become(isConnected: boolean, reason: string): void {
    this.reason = reason;
    for (const page of this.pages) this.tell(page, { kind: "status", isConnected, reason });
  }

  private tellOwner(connection: AppConnection, message: ToPage): void {
    const owner = this.owners.get(connection);
    if (owner !== undefined) this.tell(owner, message);
  }

  private tell(page: MessagePort, message: ToPage): void {
    page.postMessage(message);
  }
}
