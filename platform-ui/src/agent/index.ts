/** The FDC3 agent for the page of the platform. */

export { Agent, type AgentHost, type AgentOptions, type Choice, OpenError } from "./agent";
export type { AppIntent, InstanceInfo, UserChannel } from "./agent-events";
export type { AppWindow } from "./app-window";
export type { Credentials } from "./gateway-socket";
export type { AppPageMessage, AppProtocol } from "./window-messages";
