/** Messages between pages of the platform and the hub. */

import type { AgentEvent, UserChannel } from "./agent-events";
import type { AppWindow } from "./app-window";
import type { Credentials } from "./gateway-socket";

/** A question of the agent for the page: open an app, or let the user choose the handler of an intent. */
export type Question = Extract<AgentEvent, { kind: "open" | "choose" }>;

export type ToHub =
  | { readonly kind: "attach"; readonly url: string; readonly user: string | undefined }
  | { readonly kind: "credentials"; readonly credentials: Credentials }
  | { readonly kind: "noCredentials"; readonly reason: string }
  /** An app has connected; its port is sent with the message. */
  | { readonly kind: "app"; readonly app: AppWindow }
  | { readonly kind: "gone"; readonly place: string }
  | { readonly kind: "selectChannel"; readonly instanceId: string; readonly channelId: string | null }
  | { readonly kind: "answer"; readonly request: string; readonly message: object }
  | { readonly kind: "leave" };

export type ToPage =
  | { readonly kind: "credentials" }
  | { readonly kind: "status"; readonly isConnected: boolean; readonly reason: string }
  | { readonly kind: "channels"; readonly channels: readonly UserChannel[] }
  | { readonly kind: "started"; readonly instanceId: string; readonly channelId: string | null }
  | { readonly kind: "ended"; readonly instanceId: string }
  | { readonly kind: "channelChanged"; readonly instanceId: string; readonly channelId: string | null }
  | { readonly kind: "refused"; readonly app: AppWindow; readonly reason: string }
  | { readonly kind: "withdrawn"; readonly request: string }
  | Question;
