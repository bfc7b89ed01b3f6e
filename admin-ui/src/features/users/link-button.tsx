/** Opens the dialog that creates links for users. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { showError } from "../../ui/notices";
import { LinkDialog } from "./link-dialog";

interface LinkButtonProps {
  /** Reads the users when the button is pressed. */
  users: () => Promise<readonly string[]>;
  label: string;
  isSmall?: boolean;
}

export function LinkButton({ users, label, isSmall = false }: LinkButtonProps) {
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  return (
    <>
      <Button
        variant="default"
        {...(isSmall ? { size: "compact-sm" } : {})}
        onClick={() => void users().then(setChosen, showError)}
      >
        {label}
      </Button>
      {chosen && <LinkDialog users={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}
