/** The part of the client library protocol that the platform page needs before the rest is loaded. */

/** The libraries use the name of their window as its id, if the name contains this text. */
const MARK = "g42-";
const FRAME_MARK = "#wsp";

/** The name that a window or tab of an app must be opened with. */
export function windowName(instanceId: string): string {
  return MARK + instanceId;
}

/** The name that the frame of an app must have. */
export function frameName(instanceId: string): string {
  return windowName(instanceId) + FRAME_MARK;
}
