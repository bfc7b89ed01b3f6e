/** What the platform has to tell: kept while the page is open, newest first. */

import { newId } from "../workspace/new-id";

export interface Notice {
  readonly id: string;
  readonly time: Date;
  readonly title: string;
  readonly text: string;
  readonly isRead: boolean;
}

const MOST = 100;

export class NoticeList {
  private notices: readonly Notice[] = [];
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly current = (): readonly Notice[] => this.notices;

  add(title: string, text: string): void {
    const notice = { id: newId(), time: new Date(), title, text, isRead: false };
    this.become([notice, ...this.notices].slice(0, MOST));
  }

  readAll(): void {
    if (this.notices.some((notice) => !notice.isRead)) {
      this.become(this.notices.map((notice) => ({ ...notice, isRead: true })));
    }
  }

  clear(): void {
    this.become([]);
  }

  private become(notices: readonly Notice[]): void {
    this.notices = notices;
    for (const listener of this.listeners) listener();
  }
}

export const notices = new NoticeList();
