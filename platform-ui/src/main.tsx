/** The page that the manager serves. */

import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "dockview/dist/styles/dockview.css";
import "../../admin-ui/src/ui/page.css";
import "./platform.css";
import { createRoot } from "react-dom/client";
import { optionsOfPage } from "./options";
import { Platform } from "./platform";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Platform options={optionsOfPage()} />);
