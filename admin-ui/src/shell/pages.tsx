/** What is shown: the log-in, or the pages of whoever is logged in. */

import { Center, Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSession, useSessionState } from "../api/context";
import { ExpiredDialog } from "../auth/expired-dialog";
import { LoginPage } from "../auth/login-page";
import { makeRouter } from "../routes";

const CHECK_EVERY_MS = 30_000;

export function Pages({ baseName }: { baseName: string }) {
  const session = useSession();
  const queries = useQueryClient();
  const { phase, me } = useSessionState();
  const [visit, setVisit] = useState(0);
  const [router, setRouter] = useState(() => makeRouter(baseName));

  useEffect(() => {
    void session.begin();
  }, [session]);

  // Nobody tells the page that the time of its session is up: it asks now and then.
  useEffect(() => {
    const check = () => void session.check().catch(() => undefined);
    const timer = setInterval(check, CHECK_EVERY_MS);
    window.addEventListener("focus", check);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", check);
    };
  }, [session]);

  // What one user has seen or typed is not for the next.
  const who = me?.id;
  useEffect(() => {
    if (!who) queries.clear();
  }, [who, queries]);
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
      <ExpiredDialog onOther={startOver} />
    </>
  );
}
