/** The page that the manager serves. */

import { notifications } from "@mantine/notifications";
import { useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { AdminUI } from "./index";
import { propsOfPage } from "./options";

/** Events of the window that empty the page and start it again without loading it, for browser tests. */
const STOP = "rostrum-stop";
const START = "rostrum-start";

const element = document.getElementById("root");
if (element) {
  const root = createRoot(element);
  let starts = 0;
  const start = () => root.render(<Started key={starts++} />);
  window.addEventListener(START, start);
  window.addEventListener(STOP, () => {
    root.render(null);
    notifications.clean();
  });
  start();
}

/** Replaces the initial content of the page, before the browser paints again. */
function Started() {
  useLayoutEffect(() => document.querySelector(".before-start")?.remove(), []);
  return <AdminUI {...propsOfPage()} />;
}
