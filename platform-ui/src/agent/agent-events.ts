/** The events that the FDC3 agent sends to its clients. It imports nothing, so that every module can use these types. */

export interface UserChannel {
  readonly id: string;
  readonly name: string;
  /** Its name for apps that do not use FDC3. */
  readonly platformName?: string;
  readonly color: string;
  readonly glyph: string | null;
}

export interface InstanceInfo {
  readonly appId: string;
  readonly instanceId: string;
  readonly channelId: string | null;
}

/** Broadcasts of one app on one channel, and the apps that receive them. */
export interface Route {
  readonly connection: string;
  readonly channelId: string;
  readonly contextType: string;
  readonly source: { readonly appId: string; readonly instanceId: string };
  readonly receivers: readonly string[];
}

export type AgentEvent =
  | {
      readonly kind: "linked";
      readonly link: string;
      readonly channels: readonly UserChannel[];
      readonly instances: readonly InstanceInfo[];
    }
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "channels"; readonly channels: readonly UserChannel[] }
  | { readonly kind: "message"; readonly connection: string; readonly payload: unknown }
  /** The same message for several apps. */
  | { readonly kind: "message"; readonly connections: readonly string[]; readonly payload: unknown }
  | { readonly kind: "resumed"; readonly connection: string }
  | { readonly kind: "close"; readonly connection: string; readonly reason: string }
  | { readonly kind: "channelChanged"; readonly instanceId: string; readonly channelId: string | null }
  /** The hub may deliver broadcasts on these routes until the recall; the numbers state what the agent has processed. */
  | {
      readonly kind: "lease";
      readonly lease: string;
      readonly messages: number;
      readonly delivered: number;
      readonly routing: number;
      readonly routes: readonly Route[];
    }
  /** The hub must return the lease. */
  | { readonly kind: "recall"; readonly lease: string }
  /** The answer to a question is no longer needed. */
  | { readonly kind: "choiceEnded"; readonly request: string }
  | {
      readonly kind: "open";
      readonly request: string;
      readonly appId: string;
      readonly instanceId: string;
      readonly source: string;
    }
  | {
      readonly kind: "choose";
      readonly request: string;
      readonly source: string;
      readonly appIntents: readonly AppIntent[];
      readonly context: unknown;
    };

/** One intent, with the apps and running instances that handle it, as the standard describes them. */
export interface AppIntent {
  readonly intent: { readonly name: string; readonly displayName?: string };
  readonly apps: readonly { readonly appId: string; readonly instanceId?: string; readonly title?: string }[];
}
