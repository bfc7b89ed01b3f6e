/** The options of the component, and of pages that the manager serves. */

export interface AdminUIProps {
  /** Address of the manager's API, such as `https://manager.example.com/api`, or a path on the same server. */
  apiURL?: string;
  /** The authentication method; only `basic` is supported. */
  auth?: string;
  auth_basic?: {
    /**
     * Keep users signed in with the session cookie, if the server and the browser allow it; otherwise with a token in
     * the memory of the page. Enabled by default.
     */
    useSessionCookie?: boolean;
  };
  theme?: "light" | "dark" | "auto";
  /** Path under which the pages are, such as `admin`. */
  baseName?: string;
  /** Nonce of the Content-Security-Policy for styles that are created at run time. */
  styleNonce?: string;
}

export interface Options {
  readonly apiURL: string;
  readonly auth: string;
  /** If undefined, the server decides. */
  readonly useSessionCookie: boolean | undefined;
  readonly theme: "light" | "dark" | "auto";
  readonly baseName: string;
  readonly styleNonce: string | undefined;
}

/** Add defaults to the options, from the build's environment first. */
export function optionsOf(props: AdminUIProps, env: Partial<ImportMetaEnv> = import.meta.env): Options {
  return {
    apiURL: (props.apiURL ?? env.REACT_APP_SERVER_BASE ?? "/api").replace(/\/+$/, ""),
    auth: props.auth || env.REACT_APP_AUTH || "basic",
    useSessionCookie: props.auth_basic?.useSessionCookie,
    theme: props.theme ?? "auto",
    baseName: `/${(props.baseName ?? env.REACT_APP_BASE ?? "").replace(/^\/+|\/+$/g, "")}`,
    styleNonce: props.styleNonce,
  };
}

/** Read the options that the server wrote into the page. */
export function propsOfPage(page: Document = document): AdminUIProps {
  const text = page.querySelector<HTMLMetaElement>('meta[name="rostrum-page"]')?.content;
  const nonce = page.querySelector<HTMLElement>("script[nonce], style[nonce], link[nonce]")?.nonce;
  return { ...readObject(text), ...(nonce ? { styleNonce: nonce } : {}) };
}

function readObject(text: string | undefined): AdminUIProps {
  try {
    return JSON.parse(text || "{}") as AdminUIProps;
  } catch {
    return {};
  }
}

/** The desktop's sign-in window requests an address that ends in `gd`. Documents may have that name, too. */
export function isForDesktop(address: Pick<Location, "pathname" | "search" | "hash">, baseName: string): boolean {
  const words = address.search.replace(/^\?/, "").split("&");
  const path = address.pathname.replace(/\/$/, "");
  return (
    path === `${baseName.replace(/\/$/, "")}/gd` ||
    words.includes("gd") ||
    words.includes("gd=") ||
    address.hash === "#gd"
  );
}

/** Whether this is the page of a link with which a user sets a password. */
export function isForPassword(address: Pick<Location, "pathname">, baseName: string): boolean {
  return address.pathname.replace(/\/$/, "") === `${baseName.replace(/\/$/, "")}/set-password`;
}
