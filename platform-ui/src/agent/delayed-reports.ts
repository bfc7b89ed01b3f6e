/**
 * Reports to the agent about broadcasts that the hub has delivered, until they are sent. Receivers have priority: if
 * they share a thread with the hub, immediate reports would delay them. So the reports are sent in a separate task,
 * after the deliveries. The task is a message and not a timer, because browsers delay timers of hidden pages by a
 * second and more.
 */

import type { Delivered } from "./delivery-lease";

const MOST_WAITING = 20;

export class DelayedReports {
  private waiting: Delivered[] = [];
  private readonly task = new MessageChannel();

  constructor(private readonly send: (reports: readonly Delivered[]) => void) {
    this.task.port1.onmessage = () => this.flush();
  }

  /** Schedule the report of a broadcast. */
  add(report: Delivered): void {
    this.waiting.push(report);
    if (this.waiting.length >= MOST_WAITING) this.flush();
    else if (this.waiting.length === 1) this.task.port2.postMessage(undefined);
  }

  /** Send queued reports now: the agent must receive them before later messages. */
  flush(): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    this.send(waiting);
  }

  /** Discard queued reports: there is no connection to send them. */
  clear(): void {
    this.waiting = [];
  }

  /** Stop, after queued reports were sent. */
  close(): void {
    this.flush();
    this.task.port1.close();
  }
}
