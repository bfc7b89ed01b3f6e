/** Options that the server wrote into the page. */

export interface PageOptions {
  readonly apiURL: string;
  readonly useSessionCookie: boolean;
  /** The version of the server, which is the version of this page. */
  readonly version: string;
  /** The user for whom the page was served; null if no user was signed in. */
  readonly user: string | null;
  /** The origins that the policy of this page allows in frames. */
  readonly frameOrigins: readonly string[];
  /** Address of the central gateway, where the user's FDC3 agent runs; empty if there is none. */
  readonly gatewayURL: string;
  readonly styleNonce: string | undefined;
}

interface Written {
  apiURL?: string;
  auth_basic?: { useSessionCookie?: boolean };
  version?: string;
  user?: string | null;
  frameOrigins?: string[];
  gatewayURL?: string;
}

export function optionsOfPage(page: Document = document): PageOptions {
  const written = readObject(page.querySelector<HTMLMetaElement>('meta[name="rostrum-page"]')?.content);
  return {
    apiURL: (written.apiURL ?? "/api").replace(/\/+$/, ""),
    useSessionCookie: written.auth_basic?.useSessionCookie ?? true,
    version: written.version ?? "",
    user: written.user ?? null,
    frameOrigins: written.frameOrigins ?? [],
    gatewayURL: socketAddress(written.gatewayURL ?? ""),
    styleNonce: page.querySelector<HTMLElement>("script[nonce], style[nonce], link[nonce]")?.nonce,
  };
}

/** A path is relative to the host of the page. */
function socketAddress(address: string): string {
  return address.startsWith("/") ? `${window.location.origin.replace(/^http/, "ws")}${address}` : address;
}

function readObject(text: string | undefined): Written {
  try {
    return JSON.parse(text || "{}") as Written;
  } catch {
    return {};
  }
}
