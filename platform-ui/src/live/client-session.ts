/** The session of this page at the manager: opened at the start, kept alive with receipts, closed at the end. */

import type { Client } from "../../../admin-ui/src/api/client";
import { Refused } from "../../../admin-ui/src/api/errors";
import { newId } from "../workspace/new-id";

export type Kind = "apps" | "layouts" | "prefs" | "systemConfig";

const BEAT_MS = 60_000;
/** Receipts of several changes are sent together. */
const RECEIPT_MS = 2_000;
const MACHINE = "rostrum-machine";

export class ClientSession {
  id: string | null = null;
  private receipts: Partial<Record<Kind, number>> = {};
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOver = false;

  constructor(
    private readonly client: Client,
    private readonly version: string,
    /** An administrator ended the session. */
    private readonly onEnded: () => void,
  ) {}

  async open(): Promise<void> {
    const machine = { id: machineId(), name: browserName(), displays: [displayOf(window.screen)] };
    const { data } = await this.client.call("openSession", {
      body: { product: "browser", version: this.version, machine },
    });
    this.id = data.id;
    if (this.isOver) this.close();
    else this.beatIn(BEAT_MS);
  }

  /** Record that a change was fetched and applied. */
  applied(kind: Kind, revision: number): void {
    if (revision <= (this.receipts[kind] ?? 0)) return;
    this.receipts[kind] = revision;
    this.beatIn(RECEIPT_MS);
  }

  /** The earlier numbers are no longer valid. */
  forgetReceipts(): void {
    this.receipts = {};
  }

  /** Check immediately whether the session is still open. */
  check(): void {
    this.beatIn(0);
  }

  /** End the session, also while the page is being closed. */
  close(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    if (!this.id) return;
    const path = { session_id: this.id };
    this.id = null;
    void this.client.call("closeSession", { path, keepalive: true }).catch(() => undefined);
  }

  private beatIn(milliseconds: number): void {
    clearTimeout(this.timer);
    if (this.isOver || !this.id) return;
    this.timer = setTimeout(() => void this.beat(), milliseconds);
  }

  private async beat(): Promise<void> {
    if (!this.id) return;
    const applied = { ...this.receipts };
    try {
      await this.client.call("touchSession", { path: { session_id: this.id }, body: { applied } });
    } catch (error) {
      if (error instanceof Refused && (error.status === 404 || error.status === 409)) {
        this.id = null;
        this.isOver = true;
        return this.onEnded();
      }
    }
    // Changes that were applied during the request must not wait for the next heartbeat.
    const isComplete = (Object.keys(this.receipts) as Kind[]).every((kind) => this.receipts[kind] === applied[kind]);
    this.beatIn(isComplete ? BEAT_MS : RECEIPT_MS);
  }
}

/** One browser profile is one machine, so that administrators see their number for each user. */
function machineId(): string {
  try {
    const known = localStorage.getItem(MACHINE);
    if (known) return known;
    const made = `browser-${newId()}`;
    localStorage.setItem(MACHINE, made);
    return made;
  } catch {
    return `browser-${newId()}`;
  }
}

function browserName(agent: string = navigator.userAgent): string {
  const browser = /(Firefox|Edg|Chrome|Safari)\//.exec(agent)?.[1] ?? "Browser";
  const system = /(Windows|Macintosh|Android|iPhone|iPad|Linux)/.exec(agent)?.[1] ?? "an unknown system";
  return `${browser === "Edg" ? "Edge" : browser} on ${system === "Macintosh" ? "macOS" : system}`;
}

function displayOf({ width, height }: Screen) {
  return { width, height, scale: window.devicePixelRatio };
}
