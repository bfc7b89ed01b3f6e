/** Switches between the groups of crash reports and the list of all reports. */

import { RouterLink } from "../../ui/link";
import styles from "./view-switch.module.css";

const VIEWS = [
  { to: "/crash-groups", label: "Groups" },
  { to: "/crashes", label: "All reports" },
] as const;

export function ViewSwitch({ current }: { current: (typeof VIEWS)[number]["to"] }) {
  return (
    <nav aria-label="Views" className={styles.switch}>
      {VIEWS.map(({ to, label }) => (
        <RouterLink key={to} to={to} className={styles.view} {...(to === current ? { "aria-current": "page" } : {})}>
          {label}
        </RouterLink>
      ))}
    </nav>
  );
}
