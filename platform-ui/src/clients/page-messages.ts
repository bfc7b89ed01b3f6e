/** What the page of the platform must know of the client libraries before their part of the platform is loaded. */

/** The libraries take the id of their window from its name, if the name contains this text. */
const MARK = "g42-";
const FRAME_MARK = "#wsp";
const TYPES = ["platformPing", "connectionRequest", "clientUnload"];

/** The name that a window or tab of an app must be opened with. */
export function windowName(instanceId: string): string {
  return MARK + instanceId;
}

/** The name that the frame of an app must have. */
export function frameName(instanceId: string): string {
  return windowName(instanceId) + FRAME_MARK;
}

/** Whether a client library has sent this message to look for its platform, to connect, or to leave. */
export function isClientMessage(data: unknown): boolean {
  const { glue42core } = (data ?? {}) as { glue42core?: { type?: unknown } | null };
  return typeof glue42core === "object" && glue42core !== null && TYPES.includes(String(glue42core.type));
}
