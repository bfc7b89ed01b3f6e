/** Small coloured labels; plain elements, because lists render thousands of them while scrolling. */

import type { ReactNode } from "react";

export function Label({ children, color = "gray" }: { children: ReactNode; color?: string }) {
  const style = {
    background: `var(--mantine-color-${color}-light)`,
    color: `var(--mantine-color-${color}-light-color)`,
  };
  return (
    <span className="label" style={style}>
      {children}
    </span>
  );
}

/** The first names of a list, and the number of the others. */
export function Names({ names, most = 3, none = "none" }: { names: readonly string[]; most?: number; none?: string }) {
  if (names.length === 0) return <span className="quiet">{none}</span>;
  return (
    <span className="names" title={names.join(", ")}>
      {names.slice(0, most).map((name) => (
        <Label key={name}>{name}</Label>
      ))}
      {names.length > most && <span className="quiet">+{names.length - most}</span>}
    </span>
  );
}
