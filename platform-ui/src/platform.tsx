/** The browser platform: the sign-in, or the workspaces of the signed-in user. */

import { Center, Loader, MantineProvider, Text } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { useEffect, useState } from "react";
import { SessionProvider, useCookieProblem, useSession, useSessionState } from "../../admin-ui/src/api/context";
import { queryClient } from "../../admin-ui/src/api/queries";
import { Session } from "../../admin-ui/src/api/session";
import { ExpiredDialog } from "../../admin-ui/src/auth/expired-dialog";
import { LoginForm } from "../../admin-ui/src/auth/login-form";
import { LoginCard } from "../../admin-ui/src/auth/login-page";
import { useSessionChecks } from "../../admin-ui/src/auth/use-session-checks";
import { NonceContext } from "../../admin-ui/src/ui/nonce";
import { cssVariables, theme } from "../../admin-ui/src/ui/theme";
import type { PageOptions } from "./options";
import { Shell } from "./shell/shell";

const RELOADED = "rostrum-reloaded-for";

export function Platform({ options }: { options: PageOptions }) {
  const [nonce] = useState(() => {
    if (options.styleNonce) setNonce(options.styleNonce);
    return options.styleNonce;
  });
  const [session] = useState(() => new Session(options.apiURL, options.useSessionCookie));
  const [queries] = useState(queryClient);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      {...(nonce ? { getStyleNonce: () => nonce } : {})}
    >
      <NonceContext value={nonce}>
        <Notifications position="bottom-right" limit={4} />
        <SessionProvider session={session}>
          <QueryClientProvider client={queries}>
            <Phases options={options} />
          </QueryClientProvider>
        </SessionProvider>
      </NonceContext>
    </MantineProvider>
  );
}

function Phases({ options }: { options: PageOptions }) {
  const session = useSession();
  const { phase, me } = useSessionState();
  const cookieProblem = useCookieProblem();
  const [endedText, setEndedText] = useState("");

  useSessionChecks();

  // The policy of a page allows the apps of its user, so another user needs another page.
  const isOfOther = phase === "in" && me.id !== options.user && options.useSessionCookie && !cookieProblem;
  const reloads = isOfOther && sessionStorage.getItem(RELOADED) !== me.id;
  useEffect(() => {
    if (reloads && me) {
      sessionStorage.setItem(RELOADED, me.id);
      window.location.reload();
    } else if (phase === "in" && !isOfOther) sessionStorage.removeItem(RELOADED);
  }, [reloads, me, phase, isOfOther]);

  if (phase === "checking" || reloads) {
    return (
      <Center mih="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (phase === "out") {
    return (
      <LoginCard subtitle="Browser platform">
        {endedText && (
          <Text size="sm" role="status">
            {endedText}
          </Text>
        )}
        <LoginForm onLogIn={async (user, password) => void (await session.logIn(user, password))} />
      </LoginCard>
    );
  }
  return (
    <>
      <Shell
        options={options}
        onEnded={() => {
          // A change of the password ends the session of this page. The page is loaded again, and opens a new session.
          if (session.needsReload) return;
          setEndedText("Your session was ended by an administrator. Sign in again to continue.");
          void session.logOut().catch(() => undefined);
        }}
      />
      <ExpiredDialog onOther={() => window.location.reload()} />
    </>
  );
}
