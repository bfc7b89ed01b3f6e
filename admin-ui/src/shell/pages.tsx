/** Shows the sign-in, or the pages of the signed-in user. */

import { Center, Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { useSessionState } from "../api/context";
import { ConfirmIdentity } from "../auth/confirm-dialog";
import { ExpiredDialog } from "../auth/expired-dialog";
import { LoginPage } from "../auth/login-page";
import { useSessionChecks } from "../auth/use-session-checks";
import { makeRouter } from "../routes";

export function Pages({ baseName }: { baseName: string }) {
  const queries = useQueryClient();
  const { phase } = useSessionState();
  const [visit, setVisit] = useState(0);
  const [router, setRouter] = useState(() => makeRouter(baseName));

  useSessionChecks();
  const startOver = () => {
    queries.clear();
    setRouter(makeRouter(baseName));
    setVisit(visit + 1);
  };

  if (phase === "checking") {
    return (
      <Center mih="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (phase === "out") return <LoginPage />;
  return (
    <>
      <RouterProvider key={visit} router={router} />
      <ConfirmIdentity />
      <ExpiredDialog onOther={startOver} />
    </>
  );
}
