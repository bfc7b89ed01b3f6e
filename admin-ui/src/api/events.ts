/** Reads a stream of server-sent events. */

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  readonly id?: string;
  readonly retry?: number;
}

/** Splits text chunks into events, as the HTML standard describes; an event without a type is "message". */
export async function* eventsIn(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let rest = "";
  let fields: [string, string][] = [];
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((each) => each.replace(/\r$/, ""))) {
      // A line that begins with a colon is a comment, such as a heartbeat.
      if (line.startsWith(":")) continue;
      if (line !== "") fields.push(fieldOf(line));
      else if (fields.length > 0) {
        yield eventOf(fields);
        fields = [];
      }
    }
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}

function eventOf(fields: readonly [string, string][]): ServerEvent {
  const last = (name: string) => fields.findLast(([key]) => key === name)?.[1];
  const id = last("id");
  const retry = Number(last("retry") ?? Number.NaN);
  const data = fields.filter(([name]) => name === "data").map(([, value]) => value);
  return {
    type: last("event") ?? "message",
    data: data.join("\n"),
    ...(id === undefined ? {} : { id }),
    ...(Number.isFinite(retry) ? { retry } : {}),
  };
}
