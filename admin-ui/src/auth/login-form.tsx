/** The fields of the sign-in and its result. */

import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf } from "../api/errors";
import { Failure } from "../ui/states/failure";

interface LoginFormProps {
  /** The previous user, so that only the password must be entered. */
  user?: string;
  onLogIn: (user: string, password: string) => Promise<void>;
}

export function LoginForm({ user: before = "", onLogIn }: LoginFormProps) {
  const [user, setUser] = useState(before);
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState("");
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setMessage("");
    try {
      await onLogIn(user, password);
    } catch (error) {
      setMessage(messageOf(error));
    } finally {
      setPassword("");
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} aria-label="Sign in">
      <Stack>
        <TextInput
          label="User"
          name="user"
          autoComplete="username"
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          data-autofocus={before ? undefined : true}
          autoFocus={!before}
          required
          withAsterisk={false}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus={before ? true : undefined}
          autoFocus={Boolean(before)}
          required
          withAsterisk={false}
        />
        <Failure message={message} />
        <Button type="submit" loading={isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
