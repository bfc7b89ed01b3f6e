/** A button that stays focusable while the manager would reject its action, so that users find the reason. */

import { Button, type ButtonProps, Tooltip, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface BlockedButtonProps extends ButtonProps {
  /** Why the manager would reject the action; null if it would not. */
  blocked: string | null;
  onClick: () => void;
  children: ReactNode;
  "aria-label"?: string;
}

export function BlockedButton({ blocked, onClick, children, ...looks }: BlockedButtonProps) {
  const reasonId = useId();
  if (blocked === null) {
    return (
      <Button {...looks} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <>
      <Tooltip
        label={blocked}
        withinPortal={false}
        multiline
        maw={320}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button {...looks} aria-disabled data-disabled aria-describedby={reasonId}>
          {children}
        </Button>
      </Tooltip>
      <VisuallyHidden id={reasonId}>{blocked}</VisuallyHidden>
    </>
  );
}
