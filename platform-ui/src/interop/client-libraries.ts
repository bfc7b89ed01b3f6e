/**
 * Apps with `@interopio/browser` or `@glue42/web`. The module that serves them is loaded with the first message of such
 * an app, so that other users do not wait for it.
 */

import type { AppWindow } from "../agent";
import type { AppPageMessage, AppProtocol } from "../agent/window-messages";
import type { ClientPlatform } from "../clients";
import type { WindowMessage } from "../messages";

const MOST_WAITING = 100;

export class ClientLibraries implements AppProtocol {
  private platform: ClientPlatform | undefined;
  private isLoading = false;
  private isStopped = false;
  private waiting: AppPageMessage[] = [];
  private readonly windows = new Set<AppWindow>();

  constructor(
    private readonly load: () => Promise<ClientPlatform>,
    private readonly refused: (app: AppWindow, reason: string) => void,
  ) {}

  /** The module that serves the apps; undefined until it is loaded. */
  get current(): ClientPlatform | undefined {
    return this.platform;
  }

  recognises({ type }: WindowMessage): boolean {
    return type !== "WCP1Hello";
  }

  receive(message: AppPageMessage): void {
    if (this.platform !== undefined) {
      this.platform.receive(message);
      return;
    }
    if (this.waiting.length < MOST_WAITING) this.waiting.push(message);
    if (!this.isLoading) void this.begin();
  }

  added(app: AppWindow): void {
    this.windows.add(app);
    this.platform?.added(app);
  }

  removed(app: AppWindow): void {
    this.windows.delete(app);
    this.platform?.removed(app);
  }

  stop(): void {
    this.isStopped = true;
    this.platform?.stop();
  }

  private async begin(): Promise<void> {
    this.isLoading = true;
    const platform = await this.load().catch(() => undefined);
    this.isLoading = false;
    const { waiting } = this;
    this.waiting = [];
    if (platform === undefined) {
      // The library repeats its request each second, so the next message is the next attempt.
      for (const { app } of waiting) this.refused(app, "The files of the page cannot be loaded. Reload the page");
    } else if (this.isStopped) platform.stop();
    else {
      this.platform = platform;
      for (const app of this.windows) platform.added(app);
      for (const message of waiting) if (this.windows.has(message.app)) platform.receive(message);
    }
  }
}
