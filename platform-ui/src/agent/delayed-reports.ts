/**
 * What the agent must learn of broadcasts that the hub has delivered, until it is sent.
 *
 * The receivers come first: where they share a thread with the hub, a report at once would delay them. So the reports are
 * sent in a task of their own, which follows the deliveries. It is a message and not a timer, because browsers delay the
 * timers of hidden pages by a second and more.
 */

import type { Delivered } from "./delivery-lease";

const MOST_WAITING = 20;

export class DelayedReports {
  private waiting: Delivered[] = [];
  private readonly task = new MessageChannel();

  constructor(private readonly send: (reports: readonly Delivered[]) => void) {
    this.task.port1.onmessage = () => this.flush();
  }

  /** Report a broadcast soon. */
  add(report: Delivered): void {
    this.waiting.push(report);
    if (this.waiting.length >= MOST_WAITING) this.flush();
    else if (this.waiting.length === 1) this.task.port2.postMessage(undefined);
  }

  /** Send what waits now: the agent must see it before whatever comes next. */
  flush(): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    this.send(waiting);
  }

  /** Forget what waits: there is no connection to send it on. */
  clear(): void {
    this.waiting = [];
  }

  /** Stop, after what waits was sent. */
  close(): void {
    this.flush();
    this.task.port1.close();
  }
}
