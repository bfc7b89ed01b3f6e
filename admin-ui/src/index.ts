/** The public API of the library. */

import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./ui/page.css";

export { AdminUI } from "./admin-ui";
export type { AdminUIProps } from "./options";
