/** Notifications of the platform and of apps: kept while the page is open, newest first. */

import { newId } from "../workspace/new-id";

export interface Notice {
  readonly id: string;
  readonly time: Date;
  readonly title: string;
  readonly text: string;
  readonly isRead: boolean;
  /** The actions of an app's notification. */
  readonly choices?: readonly Choice[];
}

export interface Choice {
  readonly label: string;
  run(): void;
}

const MOST = 100;

export class NoticeList {
  private notices: readonly Notice[] = [];
  private ofApps: readonly Notice[] = [];
  private all: readonly Notice[] = [];
  private clearApps: () => void = () => undefined;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): readonly Notice[] => this.all;

  add(title: string, text: string): void {
    const notice = { id: newId(), time: new Date(), title, text, isRead: false };
    this.become([notice, ...this.notices].slice(0, MOST));
  }

  /** Replace the notifications of apps; those that were read stay read. */
  replaceOfApps(notices: readonly Omit<Notice, "isRead">[], clear: () => void): void {
    const read = new Set(this.ofApps.filter((notice) => notice.isRead).map(({ id }) => id));
    this.ofApps = notices.map((notice) => ({ ...notice, isRead: read.has(notice.id) }));
    this.clearApps = clear;
    this.become(this.notices);
  }

  readAll(): void {
    if (this.all.every((notice) => notice.isRead)) return;
    this.ofApps = this.ofApps.map((notice) => ({ ...notice, isRead: true }));
    this.become(this.notices.map((notice) => ({ ...notice, isRead: true })));
  }

  clear(): void {
    this.become([]);
    this.clearApps();
  }

  private become(notices: readonly Notice[]): void {
    this.notices = notices;
    this.all = [...this.ofApps, ...notices].sort((a, b) => b.time.getTime() - a.time.getTime());
    for (const listener of this.listeners) listener();
  }
}

export const notices = new NoticeList();
