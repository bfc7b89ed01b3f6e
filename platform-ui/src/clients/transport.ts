/** Connections to the gateway for the client libraries: JSON frames, one connection for each peer. */

export interface Frame {
  readonly type: string;
  readonly domain?: string;
  readonly request_id?: string;
  readonly peer_id?: string;
  readonly [name: string]: unknown;
}

export interface Transport {
  send(frame: object): void;
  close(): void;
}

export interface TransportEvents {
  opened(): void;
  frame(frame: Frame): void;
  /** The connection has ended, or could not be made. */
  closed(reason: string): void;
}

/** Open a connection to the gateway. */
export type Connect = (events: TransportEvents) => Transport;

const MOST_BUFFERED = 32 * 1024 * 1024;
const DATE = "#T42_DATE#";

/** Connect by WebSocket to the address of the gateway. */
export function webSockets(url: string): Connect {
  return (events) => {
    const socket = new WebSocket(url);
    let isClosed = false;
    const end = (reason: string) => {
      if (isClosed) return;
      isClosed = true;
      socket.close();
      events.closed(reason);
    };
    socket.onopen = () => events.opened();
    socket.onmessage = (message) => events.frame(decode(String(message.data)));
    socket.onclose = (event) => end(event.reason || "The connection to the gateway was interrupted");
    return {
      send: (frame) => {
        if (socket.readyState !== WebSocket.OPEN) return;
        socket.send(encode(frame));
        if (socket.bufferedAmount > MOST_BUFFERED) end("The gateway does not accept the app's messages fast enough");
      },
      close: () => end("The page has closed the connection"),
    };
  };
}

/** Encode a frame. The protocol has its own format for dates, which `JSON.stringify` does not support. */
export function encode(frame: object): string {
  return JSON.stringify(frame, function (this: Record<string, unknown>, key, value) {
    const given = this[key];
    return given instanceof Date ? DATE + given.getTime() : value;
  });
}

export function decode(text: string): Frame {
  return JSON.parse(text, (_key, value) => {
    if (typeof value !== "string" || !value.startsWith(DATE)) return value;
    const time = Number(value.slice(DATE.length));
    return Number.isFinite(time) && value.length > DATE.length ? new Date(time) : value;
  }) as Frame;
}
