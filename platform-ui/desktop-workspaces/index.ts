/** The entry point of the workspaces frame's page. */

import "dockview/dist/styles/dockview.css";
import "./page";
