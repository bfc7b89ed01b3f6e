/** Everything that the page of a workspaces frame loads. */

import "dockview/dist/styles/dockview.css";
import "./page";
