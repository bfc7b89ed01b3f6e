/** The `gd` page: only the log-in; user and headers go to the object that the desktop has put into the page. */

import { Text } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../api/context";
import { LoginForm } from "./login-form";
import { LoginCard } from "./login-page";

export function DesktopLogin() {
  const session = useSession();
  const [user, setUser] = useState<string | null>(null);

  const logIn = async (name: string, password: string) => {
    const { me, authorization } = await session.logIn(name, password);
    setUser(me.id);
    window.authDone?.({ user: me.id, headers: { Authorization: authorization } });
  };

  return (
    <LoginCard subtitle="Log in to your desktop">
      {user === null ? (
        <LoginForm onLogIn={logIn} />
      ) : (
        <Text role="status">
          You are logged in as <strong>{user}</strong>. The desktop is starting.
        </Text>
      )}
    </LoginCard>
  );
}
