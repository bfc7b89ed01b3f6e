/** The user channel of an app: a marker in its tab, and a button with a menu. */

import type { UserChannel } from "../agent";
import type { Interop } from "../interop/interop";

/** The colour of an app's channel in its tab. The tab must not contain other text, so the name is in the button. */
export class ChannelMark {
  readonly element = document.createElement("span");
  private readonly stop: () => void;

  constructor(
    private readonly interop: Interop,
    private readonly instanceId: string,
  ) {
    this.element.className = "channel-mark";
    this.element.setAttribute("aria-hidden", "true");
    this.stop = interop.subscribe(() => this.show());
    this.show();
  }

  dispose(): void {
    this.stop();
  }

  private show(): void {
    const channel = this.interop.channelOf(this.instanceId);
    this.element.hidden = !channel;
    if (channel) this.element.style.backgroundColor = channel.color;
  }
}

interface Panel {
  readonly id: string;
  readonly title: string | undefined;
}

/** Shows the channel of a group's selected app, and selects another one; hidden if the app is not connected. */
export class ChannelButton {
  readonly element = document.createElement("div");
  private readonly button = document.createElement("button");
  private readonly mark = document.createElement("span");
  private readonly name = document.createElement("span");
  private readonly menu = document.createElement("div");
  private readonly stop: () => void;
  private readonly onBlur = () => this.close();

  constructor(
    private readonly interop: Interop,
    private readonly panel: () => Panel | null,
  ) {
    this.element.className = "channel";
    this.mark.className = "channel-mark";
    this.name.className = "channel-name";
    this.button.type = "button";
    this.button.className = "channel-button";
    this.button.setAttribute("aria-haspopup", "menu");
    this.button.append(this.mark, this.name);
    this.menu.className = "channel-menu";
    this.menu.setAttribute("role", "menu");
    this.menu.setAttribute("aria-label", "Channel");
    // The top layer is above the frames of all apps.
    this.menu.popover = "auto";
    this.element.append(this.button, this.menu);
    this.button.addEventListener("click", () => this.open());
    this.button.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      this.open();
    });
    this.menu.addEventListener("keydown", (event) => this.onKey(event));
    this.menu.addEventListener("toggle", (event) => {
      const isOpen = (event as ToggleEvent).newState === "open";
      this.button.setAttribute("aria-expanded", String(isOpen));
      // A click into the frame of an app does not close the menu, but moves the focus out of the page.
      if (isOpen) window.addEventListener("blur", this.onBlur);
      else window.removeEventListener("blur", this.onBlur);
    });
    this.stop = interop.subscribe(() => this.show());
    this.show();
  }

  dispose(): void {
    this.stop();
    window.removeEventListener("blur", this.onBlur);
  }

  /** Show the channel of the selected app. */
  show(): void {
    const panel = this.panel();
    const channel = panel ? this.interop.channelOf(panel.id) : undefined;
    this.element.hidden = channel === undefined;
    if (channel === undefined) {
      this.close();
      return;
    }
    const { isConnected } = this.interop.current();
    const text = channel?.name ?? "No channel";
    this.mark.classList.toggle("none", channel === null);
    this.mark.style.backgroundColor = channel?.color ?? "";
    this.name.textContent = text;
    this.button.disabled = !isConnected;
    this.button.title = isConnected ? "Select a channel" : "Channels cannot be selected while apps are not connected";
    this.button.setAttribute("aria-label", `Channel of ${panel?.title ?? ""}: ${text}`);
  }

  private open(): void {
    const panel = this.panel();
    if (!panel || this.menu.matches(":popover-open")) return;
    const current = this.interop.channelOf(panel.id)?.id ?? null;
    const items = [null, ...this.interop.current().channels].map((channel) => this.item(panel.id, channel, current));
    this.menu.replaceChildren(...items);
    this.menu.showPopover();
    const { bottom, right } = this.button.getBoundingClientRect();
    this.menu.style.top = `${Math.round(Math.min(bottom + 4, window.innerHeight - this.menu.offsetHeight - 8))}px`;
    this.menu.style.left = `${Math.round(Math.max(8, right - this.menu.offsetWidth))}px`;
    (items.find((each) => each.getAttribute("aria-checked") === "true") ?? items[0])?.focus();
  }

  private item(instanceId: string, channel: UserChannel | null, current: string | null): HTMLElement {
    const item = document.createElement("button");
    item.type = "button";
    item.tabIndex = -1;
    item.className = "channel-item";
    item.setAttribute("role", "menuitemradio");
    item.setAttribute("aria-checked", String(current === (channel?.id ?? null)));
    const mark = document.createElement("span");
    mark.className = channel ? "channel-mark" : "channel-mark none";
    if (channel) mark.style.backgroundColor = channel.color;
    item.append(mark, channel?.name ?? "No channel");
    item.addEventListener("click", () => {
      this.interop.selectChannel(instanceId, channel?.id ?? null);
      this.close();
      this.button.focus();
    });
    return item;
  }

  private onKey(event: KeyboardEvent): void {
    const items = [...this.menu.querySelectorAll<HTMLElement>(".channel-item")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const targets: Record<string, number> = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      items[target]?.focus();
    } else if (event.key === "Tab") this.close();
    else if (event.key === "Escape") {
      event.stopPropagation();
      this.close();
      this.button.focus();
    }
  }

  private close(): void {
    if (this.menu.matches(":popover-open")) this.menu.hidePopover();
  }
}
