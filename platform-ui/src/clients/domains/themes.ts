/** Themes: the colours of the platform, which apps can follow and change. */

import type { Domain, Operation, Platform } from "../domain";
import type { Theme } from "../host";

export class ThemesDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    getCurrent: () => this.event(),
    list: () => ({ themes: this.platform.host.themes.all }),
    select: ({ name }) => this.select(name),
  };

  constructor(private readonly platform: Platform) {}

  event(): { theme: Theme } {
    const { all, current } = this.platform.host.themes;
    const name = current.call(this.platform.host.themes);
    return { theme: all.find((theme) => theme.name === name) ?? { name, displayName: name } };
  }

  private select(name: unknown): void {
    const { themes } = this.platform.host;
    const found = themes.all.find((theme) => theme.name === name);
    if (found === undefined) throw new Error(`themes.select: there is no theme ${String(name)}.`);
    themes.select(found.name);
  }
}
