/** The `gd` page: only the sign-in; user and headers are passed to a function that the desktop adds to the page. */

import { Alert, Anchor, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSession } from "../api/context";
import { LoginForm } from "./login-form";
import { LoginCard } from "./login-page";

const LOOK_EVERY_MS = 500;

export function DesktopLogin({ baseName }: { baseName: string }) {
  const session = useSession();
  const isInDesktop = useIsInDesktop();
  const [user, setUser] = useState<string | null>(null);

  const logIn = async (name: string, password: string) => {
    const { me, authorization } = await session.logIn(name, password);
    setUser(me.id);
    window.authDone?.({ user: me.id, headers: { Authorization: authorization } });
  };

  if (!isInDesktop) {
    return (
      <LoginCard>
        <Alert color="blue" variant="light" title="This page is for desktops" role="alert">
          <Text size="sm">
            It signs users in to the desktop platform and works only in the platform’s own sign-in window. In a browser,
            use <Anchor href={baseName}>the admin UI</Anchor>.
          </Text>
        </Alert>
      </LoginCard>
    );
  }
  return (
    <LoginCard subtitle="Sign in to your desktop">
      {user === null ? (
        <LoginForm onLogIn={logIn} />
      ) : (
        <Text role="status">
          You are signed in as <strong>{user}</strong>. The desktop is starting.
        </Text>
      )}
    </LoginCard>
  );
}

/** Whether the desktop has added its function to the page; it may do so after the page has loaded. */
function useIsInDesktop(): boolean {
  const [isInDesktop, setInDesktop] = useState(() => Boolean(window.authDone));
  useEffect(() => {
    if (isInDesktop) return;
    const timer = setInterval(() => setInDesktop(Boolean(window.authDone)), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isInDesktop]);
  return isInDesktop;
}
