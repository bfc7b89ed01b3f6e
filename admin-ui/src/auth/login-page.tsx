/** The sign-in page. */

import { Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useCallback } from "react";
import { useSession } from "../api/context";
import { Mark } from "../ui/mark";
import { LoginForm } from "./login-form";

export function LoginPage() {
  const session = useSession();
  const logIn = useCallback(
    async (user: string, password: string) => {
      await session.logIn(user, password);
    },
    [session],
  );
  return (
    <LoginCard>
      <LoginForm onLogIn={logIn} />
    </LoginCard>
  );
}

export function LoginCard({ children, subtitle }: { children: ReactNode; subtitle?: string }) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder radius="md" p="xl" w={400} maw="100%" shadow="sm">
        <Stack gap="lg">
          <Group gap="sm">
            <Mark size={40} />
            <div>
              <Title order={1} size="h3">
                Rostrum
              </Title>
              {subtitle && (
                <Text size="sm" c="dimmed">
                  {subtitle}
                </Text>
              )}
            </div>
          </Group>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
