/** Explains why the session ends with the page. */

import { Alert } from "@mantine/core";
import { useState } from "react";
import { useCookieProblem } from "../api/context";

export function CookieNotice() {
  const problem = useCookieProblem();
  const [isClosed, setClosed] = useState(false);
  if (!problem || isClosed) return null;
  return (
    <Alert
      color="blue"
      variant="light"
      radius={0}
      role="status"
      withCloseButton
      closeButtonLabel="Close this notice"
      onClose={() => setClosed(true)}
    >
      {problem}
    </Alert>
  );
}
