/** Shown instead of all pages if another authentication method is configured. */

import { Alert, Code, Text } from "@mantine/core";
import { LoginCard } from "../auth/login-page";

export function UnsupportedAuth({ auth }: { auth: string }) {
  return (
    <LoginCard>
      <Alert color="red" variant="light" title="This sign-in method is not supported">
        <Text size="sm">
          The setting <Code>auth</Code> (variable <Code>REACT_APP_AUTH</Code>) is <Code>{auth}</Code>. Only{" "}
          <Code>basic</Code> is supported: set it to <Code>basic</Code>, or leave it out.
        </Text>
      </Alert>
    </LoginCard>
  );
}
