/**
 * Parses the messages that other pages send to the platform: copies them as plain JSON, and accepts only listed types
 * whose members have the right types. `event.data` must not be used without these functions.
 */

export { type AppMessage, parseFdc3Message } from "./fdc3-messages";
export { parseToHub, parseToPage } from "./hub-messages";
export { type Asked, parseRelayMessage, type RelayedFrame, type RelayMessage } from "./relay-messages";
export { type ClientMessage, type Hello, parseWindowMessage, type WindowMessage } from "./window-messages";
