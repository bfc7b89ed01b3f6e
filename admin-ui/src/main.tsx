/** The page that the manager serves. */

import { createRoot } from "react-dom/client";
import { AdminUI } from "./index";
import { propsOfPage } from "./options";

const root = document.getElementById("root");
if (root) createRoot(root).render(<AdminUI {...propsOfPage()} />);
