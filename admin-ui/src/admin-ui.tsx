/** The complete admin UI as one component. */

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { useState } from "react";
import { SessionProvider } from "./api/context";
import { queryClient } from "./api/queries";
import { Session } from "./api/session";
import { DesktopLogin } from "./auth/desktop-login";
import { SetPasswordPage } from "./auth/set-password-page";
import { type AdminUIProps, isForDesktop, isForPassword, type Options, optionsOf } from "./options";
import { Pages } from "./shell/pages";
import { UnsupportedAuth } from "./shell/unsupported-auth";
import { NonceContext } from "./ui/nonce";
import { cssVariables, theme } from "./ui/theme";

export function AdminUI(props: AdminUIProps) {
  const [options] = useState(() => optionsOf(props));
  const [nonce] = useState(() => {
    // Dialogs that disable scrolling create their own style element.
    if (options.styleNonce) setNonce(options.styleNonce);
    return options.styleNonce;
  });
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme={options.theme}
      cssVariablesResolver={cssVariables}
      {...(nonce ? { getStyleNonce: () => nonce } : {})}
    >
      <NonceContext value={nonce}>
        {options.auth === "basic" ? <Ready options={options} /> : <UnsupportedAuth auth={options.auth} />}
      </NonceContext>
    </MantineProvider>
  );
}

function Ready({ options }: { options: Options }) {
  const [session] = useState(() => new Session(options.apiURL, options.useSessionCookie));
  const [queries] = useState(queryClient);
  const [page] = useState(() => pageOf(options.baseName));
  return (
    <SessionProvider session={session}>
      <QueryClientProvider client={queries}>
        {page === "desktop" && <DesktopLogin baseName={options.baseName} />}
        {page === "password" && <SetPasswordPage baseName={options.baseName} />}
        {page === "others" && <Pages baseName={options.baseName} />}
      </QueryClientProvider>
    </SessionProvider>
  );
}

/** Two pages work without a session. */
function pageOf(baseName: string): "desktop" | "password" | "others" {
  if (isForPassword(window.location, baseName)) return "password";
  return isForDesktop(window.location, baseName) ? "desktop" : "others";
}
