/** Calls operations of the manager by name, with types from its OpenAPI document. */

import { isConfirmationRequired, NotConfirmed, Proposed, refusalOf, Unreachable } from "./errors";
import { eventsIn, type ServerEvent } from "./events";
import { parseExact } from "./exact-number";
import { type Operations, type ProposedView, places } from "./generated/client";

export type OperationName = keyof Operations;

type Primitive = string | number | boolean | null | undefined;
type PathOf<Name extends OperationName> = keyof Operations[Name]["path"] extends never
  ? { path?: undefined }
  : { path: Operations[Name]["path"] };
type BodyOf<Name extends OperationName> = undefined extends Operations[Name]["body"]
  ? { body?: Operations[Name]["body"] }
  : { body: Operations[Name]["body"] };

export type RequestOf<Name extends OperationName> = PathOf<Name> &
  BodyOf<Name> & {
    query?: Record<string, Primitive>;
    ifMatch?: string | null;
    signal?: AbortSignal;
    /** The media type of the response, if there are several. Default: JSON. */
    accept?: string;
    /** A file to send unchanged, instead of a JSON body. */
    file?: Blob;
    /** Credentials to use instead of the session. */
    authorization?: string;
    omitsCookie?: boolean;
    /** Sent even if the page is being closed. */
    keepalive?: boolean;
    /** Numbers of the response keep their text, see `parseExact`; for documents that are edited and sent back. */
    exact?: boolean;
    /** Why something is changed. */
    reason?: Reason;
  };

/** Why something is changed; recorded in the audit log and the history. */
export interface Reason {
  readonly comment: string;
  readonly ticket: string;
}

export const NO_REASON: Reason = { comment: "", ticket: "" };

export interface Answer<Data> {
  readonly data: Data;
  /** The version that was read or written; sent with the next write. */
  readonly etag: string | null;
}

export interface Connection {
  readonly apiURL: string;
  sendsCookie(): boolean;
  /** The value of the Authorization header; null if a cookie is used. */
  authorization(): string | null;
  /** The value of the Confirmation header; null if the user has not confirmed the identity recently. */
  confirmation(): string | null;
  /** Ask the user to confirm the identity; false if the user cancels. */
  confirm(): Promise<boolean>;
  /** Identifies the current sign-in. */
  logIn(): number;
  /** Receives the status of each response, 0 if there was none, and the sign-in that the request used. */
  heard(status: number, logIn: number): void;
}

export class Client {
  constructor(private readonly connection: Connection) {}

  /** The address of the page that describes the API. */
  get reference(): string {
    return `${this.connection.apiURL}/docs`;
  }

  async call<Name extends OperationName>(
    name: Name,
    request: RequestOf<Name>,
  ): Promise<Answer<Operations[Name]["answer"]>> {
    const answer = await this.fetch(name, request);
    const text = answer.status === 204 ? "" : await answer.text();
    const parse = request.exact ? parseExact : JSON.parse;
    return { data: text ? (parse(text) as Operations[Name]["answer"]) : undefined, etag: answer.headers.get("ETag") };
  }

  /** Call an operation that returns one JSON document per line. */
  async *lines<Name extends OperationName>(name: Name, request: RequestOf<Name>): AsyncGenerator<unknown> {
    const answer = await this.fetch(name, { ...request, accept: "application/x-ndjson" });
    let rest = "";
    for await (const text of chunksOf(answer.body?.pipeThrough(new TextDecoderStream()))) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      yield* lines.map((line) => JSON.parse(line));
    }
  }

  /** Download a file with the browser; reports the progress if the size is known. */
  async download<Name extends OperationName>(
    name: Name,
    request: RequestOf<Name>,
    fileName: string,
    onProgress: (share: number) => void = () => undefined,
  ): Promise<void> {
    const answer = await this.fetch(name, { ...request, accept: "*/*" });
    const size = Number(answer.headers.get("Content-Length"));
    const parts: BlobPart[] = [];
    let come = 0;
    for await (const part of chunksOf(answer.body)) {
      parts.push(part);
      come += part.byteLength;
      if (size > 0) onProgress(Math.min(1, come / size));
    }
    saveAs(new Blob(parts, { type: answer.headers.get("Content-Type") ?? "" }), fileName);
  }

  /** Call an operation that returns a stream of events, until the listener stops. */
  async *events<Name extends OperationName>(name: Name, request: RequestOf<Name>): AsyncGenerator<ServerEvent> {
    const answer = await this.fetch(name, { ...request, accept: "text/event-stream" });
    yield* eventsIn(chunksOf(answer.body?.pipeThrough(new TextDecoderStream())));
  }

  private async fetch<Name extends OperationName>(name: Name, request: RequestOf<Name>): Promise<Response> {
    const [method, place] = places[name];
    const path = place.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(String((request.path as Record<string, unknown> | undefined)?.[key] ?? "")),
    );
    const once = async () => {
      const logIn = this.connection.logIn();
      const answer = await this.send(`${this.connection.apiURL}${path}${queryText(request.query)}`, {
        method,
        headers: this.headers(request),
        body: request.file ?? (request.body === undefined ? null : JSON.stringify(request.body)),
        credentials: this.connection.sendsCookie() && !request.omitsCookie ? "include" : "omit",
        signal: request.signal ?? null,
        keepalive: request.keepalive ?? false,
      });
      this.connection.heard(answer.status, logIn);
      return answer;
    };
    // A refusal would arrive while the file is still being sent, and not every browser could read it.
    if (request.file && this.connection.confirmation() === null) await this.confirm();
    const used = this.connection.confirmation();
    let answer = await once();
    if (await isConfirmationRequired(answer)) {
      // Another request may have asked in the meantime.
      if (this.connection.confirmation() === used) await this.confirm();
      answer = await once();
    }
    if (!answer.ok) throw await refusalOf(answer);
    if (answer.status === 202) throw new Proposed(((await answer.json()) as ProposedView).proposal.id);
    return answer;
  }

  private async confirm(): Promise<void> {
    if (!(await this.connection.confirm())) throw new NotConfirmed();
  }

  private async send(address: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(address, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      this.connection.heard(0, this.connection.logIn());
      throw new Unreachable();
    }
  }

  private headers(request: {
    body?: unknown;
    file?: Blob;
    ifMatch?: string | null;
    accept?: string;
    authorization?: string;
    reason?: Reason;
  }): Record<string, string> {
    const authorization = request.authorization ?? this.connection.authorization();
    const confirmation = this.connection.confirmation();
    return {
      Accept: request.accept ?? "application/json",
      // This page has its own password form, so the browser must not show one.
      "X-Requested-With": "rostrum-admin-ui",
      ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
      // The content type must not depend on the file name: the manager rejects types that a form of another site could
      // send.
      ...(request.file === undefined ? {} : { "Content-Type": "application/octet-stream" }),
      ...(request.ifMatch ? { "If-Match": request.ifMatch } : {}),
      ...(authorization ? { Authorization: authorization } : {}),
      ...(confirmation ? { Confirmation: confirmation } : {}),
      ...(request.reason ? reasonHeaders(request.reason) : {}),
    };
  }
}

/** Headers hold ASCII only, so the texts are encoded. */
export function reasonHeaders({ comment, ticket }: Reason): Record<string, string> {
  return {
    ...(comment.trim() ? { "Change-Comment": encodeURIComponent(comment.trim()) } : {}),
    ...(ticket.trim() ? { "Change-Ticket": encodeURIComponent(ticket.trim()) } : {}),
  };
}

async function* chunksOf<Chunk>(stream: ReadableStream<Chunk> | null | undefined): AsyncGenerator<Chunk> {
  const reader = stream?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
  } finally {
    await reader?.cancel();
  }
}

export function queryText(query: Record<string, Primitive> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

export function saveAs(content: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
