/** The page that the manager serves. */

import { useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { AdminUI } from "./index";
import { propsOfPage } from "./options";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Started />);

/** Replaces the initial content of the page, before the browser paints again. */
function Started() {
  useLayoutEffect(() => document.querySelector(".before-start")?.remove(), []);
  return <AdminUI {...propsOfPage()} />;
}
