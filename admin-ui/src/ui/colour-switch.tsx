/** Changes between light and dark colours. */

import { ActionIcon, Tooltip, useComputedColorScheme } from "@mantine/core";
import { Icon } from "./icons";

export function ColourSwitch({ onChange }: { onChange: (scheme: "light" | "dark") => void }) {
  const other = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Use ${other} colours`}
        onClick={() => onChange(other)}
      >
        <Icon name={other === "dark" ? "moon" : "sun"} />
      </ActionIcon>
    </Tooltip>
  );
}
