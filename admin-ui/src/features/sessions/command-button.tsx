/** Sends a command to the selected sessions: opens the page for it, with their desktops selected. */

import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { SessionView } from "../../api/generated/client";
import { Icon } from "../../ui/icons";
import { showError } from "../../ui/notices";
import { handOver } from "../commands/handed-over";

export function CommandButton({ selected }: { selected: () => Promise<SessionView[]> }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      handOver(queries, await selected());
      void navigate({ to: "/commands/-/new" });
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name="send" size={14} />}
      loading={isBusy}
      onClick={() => void open()}
    >
      Send command…
    </Button>
  );
}
