/** Limits how many apps an app can open: apps need no click of the user for this. */

const MOST = 20;
/** An app that was closed, or that the browser blocked, counts for this time. */
const RECENT_MS = 10_000;

interface Opened {
  readonly by: string;
  readonly time: number;
}

export class OpenedApps {
  /** By the instance. */
  private readonly opened = new Map<string, Opened>();

  constructor(
    private readonly isOpen: (instanceId: string) => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Record that an app opens an instance; false if the app has opened too many. */
  add(by: string, instanceId: string): boolean {
    const now = this.now();
    for (const [id, { time }] of this.opened) {
      if (now - time >= RECENT_MS && !this.isOpen(id)) this.opened.delete(id);
    }
    if ([...this.opened.values()].filter((each) => each.by === by).length >= MOST) return false;
    this.opened.set(instanceId, { by, time: now });
    return true;
  }
}
