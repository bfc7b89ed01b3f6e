/** The pages of the navigation, and the permissions that they require. */

import { may, mayEverything, type Resource } from "../api/context";
import type { Me } from "../api/generated/client";
import type { IconName } from "../ui/icons";

export interface Page {
  readonly path: string;
  /** Another path that belongs to the page. */
  readonly also?: string;
  readonly label: string;
  readonly icon: IconName;
  /** The resources of which the user must be able to read one; `EVERYTHING` requires an administrator. */
  readonly needs: Resource | readonly Resource[] | "EVERYTHING" | null;
}

export interface Section {
  readonly label: string;
  readonly pages: readonly Page[];
}

const PROPOSALS = "/proposals";

const SECTIONS: readonly Section[] = [
  { label: "", pages: [{ path: "/", label: "Dashboard", icon: "dashboard", needs: null }] },
  {
    label: "Resources",
    pages: [
      { path: "/apps", label: "Applications", icon: "apps", needs: "APPS" },
      { path: "/directories", label: "Directory addresses", icon: "directories", needs: "APPS" },
      { path: "/layouts", label: "Layouts", icon: "layouts", needs: "LAYOUTS" },
      { path: "/configs", label: "System configuration", icon: "configs", needs: "SYSTEM_CONFIGS" },
      { path: "/preferences", label: "Preferences", icon: "preferences", needs: "PREFERENCES" },
      { path: "/rollouts", label: "Roll-outs", icon: "rollouts", needs: ["APPS", "LAYOUTS", "SYSTEM_CONFIGS"] },
    ],
  },
  {
    label: "People",
    pages: [
      { path: "/users", label: "Users", icon: "users", needs: "USERS" },
      { path: "/groups", label: "Groups", icon: "groups", needs: "GROUPS" },
      { path: "/tokens", label: "API tokens", icon: "tokens", needs: null },
    ],
  },
  {
    label: "Desktops",
    pages: [
      { path: "/sessions", label: "Sessions", icon: "sessions", needs: "SESSIONS" },
      { path: "/machines", label: "Machines", icon: "machines", needs: "MACHINES" },
      { path: "/commands", label: "Commands", icon: "commands", needs: "COMMANDS" },
      { path: "/command-runs", label: "Command runs", icon: "send", needs: "COMMANDS" },
      { path: "/crash-groups", also: "/crashes", label: "Crashes", icon: "crashes", needs: "CRASHES" },
      { path: "/feedback", label: "Feedback", icon: "feedback", needs: "FEEDBACKS" },
    ],
  },
  {
    label: "Server",
    pages: [
      { path: PROPOSALS, label: "Proposals", icon: "check", needs: null },
      { path: "/audit", label: "Audit", icon: "audit", needs: "AUDITS" },
      { path: "/server", label: "Server", icon: "server", needs: "EVERYTHING" },
    ],
  },
];

/** The sections with the pages that this user may read; proposals only where changes require approval. */
export function sectionsFor(me: Me, hasProposals = false): Section[] {
  return SECTIONS.map((section) => ({
    ...section,
    pages: section.pages.filter(({ path, needs }) => offers(me, needs) && (path !== PROPOSALS || hasProposals)),
  })).filter((section) => section.pages.length > 0);
}

/** Whether a user may read a page. */
export function offers(me: Me, needs: Page["needs"]): boolean {
  if (needs === null) return true;
  if (needs === "EVERYTHING") return mayEverything(me);
  return [needs].flat().some((each) => may(me, each as Resource, "READ"));
}
