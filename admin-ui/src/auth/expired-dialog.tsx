/** Covers the page after the session has ended; unsaved input is kept. */

import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useSession, useSessionState } from "../api/context";
import { Dialog } from "../ui/dialog";
import { LoginForm } from "./login-form";

export function ExpiredDialog({ onOther }: { onOther: () => void }) {
  const session = useSession();
  const queries = useQueryClient();
  const state = useSessionState();

  const logIn = async (user: string, password: string) => {
    const { isOther } = await session.logIn(user, password);
    if (isOther) onOther();
    else await queries.invalidateQueries();
  };

  return (
    <Dialog
      opened={state.phase === "expired"}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      zIndex={1000}
      centered
      keepMounted={false}
    >
      <Stack>
        <Text size="sm">Sign in again to continue. Your unsaved changes are still on this page.</Text>
        <LoginForm user={state.me?.id ?? ""} onLogIn={logIn} />
      </Stack>
    </Dialog>
  );
}
