/** The meaning of the setting `cors`, as text. */

export interface AllowedOrigins {
  about: string;
  origins: readonly string[];
}

/** Parse the setting from the text that the server returns. */
export function allowedOrigins(cors: string | undefined): AllowedOrigins {
  const { origin, credentials } = optionsIn(cors);
  if (origin === true) {
    return { about: "Web pages of all origins can read and change data on this server.", origins: [] };
  }
  const origins = (Array.isArray(origin) ? origin : [origin]).filter((one) => typeof one === "string");
  if (origins.includes("*")) {
    return {
      about:
        "Web pages of all origins can read data from this server, but they cannot send the session cookie or change data. Browser platforms of other origins cannot connect, because they need to change data.",
      origins: [],
    };
  }
  if (origins.length === 0) {
    return { about: "Only this server's own pages can send requests to it.", origins: [] };
  }
  const cookie = credentials === true ? " with the session cookie" : "";
  return {
    about: `Web pages of these origins (scheme, host and port) can send requests${cookie} to this server. The server's own pages can always send requests.`,
    origins,
  };
}

function optionsIn(text: string | undefined): { origin?: unknown; credentials?: unknown } {
  try {
    const read: unknown = JSON.parse(text ?? "");
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    // An unset setting has no JSON text.
    return {};
  }
}
