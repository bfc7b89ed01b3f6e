/** What the setting `cors` allows, in words. */

export interface AllowedOrigins {
  about: string;
  origins: readonly string[];
}

/** Read the setting from the text in which the server shows it. */
export function allowedOrigins(cors: string | undefined): AllowedOrigins {
  const { origin, credentials } = optionsIn(cors);
  if (origin === true) {
    return { about: "Pages of all origins can read and write.", origins: [] };
  }
  const origins = (Array.isArray(origin) ? origin : [origin]).filter((one) => typeof one === "string");
  if (origins.includes("*")) {
    return {
      about:
        "Pages of all origins can read, without the session cookie. No page of another origin can write, so browser platforms cannot connect.",
      origins: [],
    };
  }
  if (origins.length === 0) {
    return { about: "Only the server's own pages can connect.", origins: [] };
  }
  const cookie = credentials === true ? ", also with the session cookie" : "";
  return { about: `Pages of these origins can connect${cookie}. The server's own pages can always connect.`, origins };
}

function optionsIn(text: string | undefined): { origin?: unknown; credentials?: unknown } {
  try {
    const read: unknown = JSON.parse(text ?? "");
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    // A setting that is not set has no JSON text.
    return {};
  }
}
