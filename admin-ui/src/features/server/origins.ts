/** What the setting `cors` allows, in words. */

export interface AllowedOrigins {
  about: string;
  origins: readonly string[];
}

/** Read the setting from the text in which the server shows it. */
export function allowedOrigins(cors: string | undefined): AllowedOrigins {
  const { origin, credentials } = optionsIn(cors);
  if (origin === true) {
    return { about: "Web pages of all origins can read and change data on this server.", origins: [] };
  }
  const origins = (Array.isArray(origin) ? origin : [origin]).filter((one) => typeof one === "string");
  if (origins.includes("*")) {
    return {
      about:
        "Web pages of all origins can read data from this server, but without the session cookie. Web pages of other origins cannot change data, so browser platforms of other origins cannot connect.",
      origins: [],
    };
  }
  if (origins.length === 0) {
    return { about: "Only this server's own pages can call it.", origins: [] };
  }
  const cookie = credentials === true ? " and send the session cookie" : "";
  return {
    about: `Web pages of these origins can call this server${cookie}. The server's own pages can always call it.`,
    origins,
  };
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
