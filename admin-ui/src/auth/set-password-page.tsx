/** The page of a link with which a user sets a password. It works without a session. */

import { Alert, Anchor, Button, Loader, PasswordInput, Stack, Text } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { useClient } from "../api/context";
import { detailsOf, messageOf } from "../api/errors";
import type { OpenedLinkView } from "../api/generated/client";
import { LoginCard } from "./login-page";

export function SetPasswordPage({ baseName }: { baseName: string }) {
  const client = useClient();
  // In the fragment, which browsers do not send to servers.
  const [token] = useState(() => window.location.hash.slice(1));
  const [link, setLink] = useState<OpenedLinkView | null>(null);
  const [problem, setProblem] = useState(
    token ? "" : "The address has no link. Open the complete link that you received.",
  );
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!token) return;
    client
      .call("openPasswordLink", { body: { token } })
      .then(({ data }) => setLink(data))
      .catch((error: unknown) => setProblem(messageOf(error)));
  }, [client, token]);

  return (
    <LoginCard subtitle="Set your password">
      {isDone ? (
        <Stack>
          <Alert color="green" variant="light" role="status" title="Password set">
            The link cannot be used again.
          </Alert>
          <Anchor href={baseName || "/"}>Sign in</Anchor>
        </Stack>
      ) : problem ? (
        <Alert color="red" variant="light" role="alert" title="Cannot set a password">
          {problem}
        </Alert>
      ) : link ? (
        <Form token={token} link={link} onProblem={setProblem} onDone={() => setDone(true)} />
      ) : (
        <Loader aria-label="Loading" />
      )}
    </LoginCard>
  );
}

interface FormProps {
  token: string;
  link: OpenedLinkView;
  onProblem: (problem: string) => void;
  onDone: () => void;
}

function Form({ token, link, onProblem, onDone }: FormProps) {
  const client = useClient();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [weakness, setWeakness] = useState("");
  const [isBusy, setBusy] = useState(false);
  const differs = again !== "" && again !== password;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (again !== password) return;
    setBusy(true);
    setWeakness("");
    try {
      await client.call("usePasswordLink", { body: { token, password } });
      // The link must not stay in the address of a tab that others may see.
      window.history.replaceState(null, "", window.location.pathname);
      onDone();
    } catch (error) {
      const found = detailsOf(error).find((detail) => detail.path === "password");
      if (found) setWeakness(`The password ${found.message}.`);
      else onProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} aria-label="Set your password">
      <Stack>
        <Text size="sm">
          Choose a password for <strong>{link.displayName ? `${link.displayName} (${link.user})` : link.user}</strong>.
        </Text>
        {/* Lets password managers identify the user. */}
        <input type="text" name="username" autoComplete="username" value={link.user} readOnly hidden />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={weakness}
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordInput
          label="Repeat new password"
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={differs ? "The passwords differ." : ""}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={isBusy} disabled={differs || password === ""}>
          Set password
        </Button>
      </Stack>
    </form>
  );
}
