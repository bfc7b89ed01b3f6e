/** The requests to the manager: the password once, for the session, and then the token of the session. */

import { eventsIn, type ServerEvent } from "../../../admin-ui/src/api/events";
import type { Settings } from "./config";

/** The manager rejected a request, or did not respond (status 0). */
export class ManagerError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "ManagerError";
  }
}

export interface OpenedSession {
  readonly id: string;
  readonly user: string;
}

export class Manager {
  private token = "";

  constructor(private readonly settings: Settings) {}

  async openSession(): Promise<OpenedSession> {
    const { username, password } = this.settings;
    const bytes = new TextEncoder().encode(`${username}:${password}`);
    const basic = `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
    const opened = (await this.call("POST", "/sessions", { product: "browser" }, basic)) as OpenedSession & {
      token: string;
    };
    this.token = opened.token;
    return { id: opened.id, user: opened.user };
  }

  async refreshToken(): Promise<void> {
    this.token = ((await this.call("POST", "/token/refresh")) as { token: string }).token;
  }

  async closeSession(id: string): Promise<void> {
    await this.call("DELETE", `/sessions/${encodeURIComponent(id)}`, undefined, undefined, true);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    authorization?: string,
    keepalive = false,
  ): Promise<unknown> {
    const answer = await this.send(path, {
      method,
      headers: {
        ...this.headers(authorization),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      keepalive,
    });
    const text = await answer.text();
    return text === "" ? undefined : JSON.parse(text);
  }

  async *events(lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    const query = lastEventId === undefined ? "" : `?lastEventId=${encodeURIComponent(lastEventId)}`;
    const answer = await this.send(`/events${query}`, { headers: this.headers(), signal });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader) yield* eventsIn(piecesOf(reader));
  }

  private headers(authorization = `Bearer ${this.token}`): Record<string, string> {
    // The browser must not show a password prompt: the page has its own.
    return { Authorization: authorization, "X-Requested-With": "rostrum-browser-platform" };
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetch(`${this.settings.url}${path}`, { ...init, credentials: "omit" });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ManagerError(
        0,
        `The manager at ${this.settings.url} does not respond, or does not allow this page (CORS).`,
      );
    }
    if (!answer.ok) throw new ManagerError(answer.status, await messageOf(answer));
    return answer;
  }
}

async function* piecesOf(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string> {
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

async function messageOf(answer: Response): Promise<string> {
  if (answer.status === 401) return "The user name or password is incorrect, or the session has ended.";
  try {
    return ((await answer.json()) as { error: { message: string } }).error.message;
  } catch {
    return `The manager responded with status ${answer.status}.`;
  }
}
