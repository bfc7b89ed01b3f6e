/** The address of a link for a password. */

import { useRouter } from "@tanstack/react-router";

export function useLinkAddress(): (token: string) => string {
  const { basepath } = useRouter();
  // In the fragment, which browsers do not send to servers, so that it is in no log.
  return (token) => `${window.location.origin}${basepath.replace(/\/$/, "")}/set-password#${token}`;
}
