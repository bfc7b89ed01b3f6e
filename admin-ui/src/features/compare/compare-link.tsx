/** Leads from a user or group to a comparison with another one. */

import { Button } from "@mantine/core";
import { RouterLink } from "../../ui/link";

interface CompareLinkProps {
  kind: "users" | "groups";
  id: string;
  size?: "compact-sm";
}

export function CompareLink({ kind, id, size }: CompareLinkProps) {
  return (
    <Button
      variant="default"
      component={RouterLink}
      to="/compare"
      search={{ ...(kind === "groups" ? { kind } : {}), left: id }}
      {...(size ? { size } : {})}
    >
      Compare with…
    </Button>
  );
}
