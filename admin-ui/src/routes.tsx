/** All pages and their addresses. */

import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { Frame } from "./shell/frame";
import { NotFound } from "./shell/not-found";
import { PageFailed } from "./shell/page-failed";
import { parseSearch, stringifySearch } from "./ui/list/list-search";
import { part } from "./ui/parts/part";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: PageFailed });

const PAGES = [
  page("/", () => import("./features/dashboard/dashboard-page"), "DashboardPage"),
  page("/apps", () => import("./features/apps/list-page"), "AppsPage"),
  page("/apps/-/new", () => import("./features/apps/new-page"), "NewAppPage"),
  page("/apps/-/import", () => import("./features/apps/import-page"), "ImportAppsPage"),
  page("/apps/$name", () => import("./features/apps/edit-page"), "AppPage"),
  page("/directories", () => import("./features/directories/list-page"), "DirectoriesPage"),
  page("/layouts", () => import("./features/layouts/list-page"), "LayoutsPage"),
  page("/layouts/-/new", () => import("./features/layouts/new-page"), "NewLayoutPage"),
  page("/layouts/-/import", () => import("./features/layouts/import-page"), "ImportLayoutsPage"),
  page("/layouts/$id", () => import("./features/layouts/edit-page"), "LayoutPage"),
  page("/preferences", () => import("./features/preferences/list-page"), "PreferencesPage"),
  page("/preferences/-/new", () => import("./features/preferences/new-page"), "NewPreferencePage"),
  page("/preferences/$id", () => import("./features/preferences/edit-page"), "PreferencePage"),
  page("/configs", () => import("./features/configs/list-page"), "ConfigsPage"),
  page("/configs/-/new", () => import("./features/configs/new-page"), "NewConfigPage"),
  page("/configs/-/files", () => import("./features/configs/files-page"), "ConfigFilesPage"),
  page("/configs/$id", () => import("./features/configs/edit-page"), "ConfigPage"),
  page("/users", () => import("./features/users/list-page"), "UsersPage"),
  page("/users/-/new", () => import("./features/users/new-page"), "NewUserPage"),
  page("/users/-/import", () => import("./features/users/import-page"), "ImportUsersPage"),
  page("/users/$id", () => import("./features/users/edit-page"), "UserPage"),
  page("/tokens", () => import("./features/tokens/list-page"), "OwnTokensPage"),
  page("/tokens/-/all", () => import("./features/tokens/list-page"), "AllTokensPage"),
  page("/groups", () => import("./features/groups/list-page"), "GroupsPage"),
  page("/groups/-/new", () => import("./features/groups/new-page"), "NewGroupPage"),
  page("/groups/$name", () => import("./features/groups/edit-page"), "GroupPage"),
  page("/compare", () => import("./features/compare/compare-page"), "ComparePage"),
  page("/batches/$kind/$id", () => import("./features/batches/batch-page"), "BatchPage"),
  page("/sessions", () => import("./features/sessions/list-page"), "SessionsPage"),
  page("/sessions/$id", () => import("./features/sessions/detail-page"), "SessionPage"),
  page("/machines", () => import("./features/machines/list-page"), "MachinesPage"),
  page("/machines/$id", () => import("./features/machines/detail-page"), "MachinePage"),
  page("/commands", () => import("./features/commands/list-page"), "CommandsPage"),
  page("/commands/-/new", () => import("./features/commands/new-page"), "NewCommandPage"),
  page("/commands/$id", () => import("./features/commands/detail-page"), "CommandPage"),
  page("/command-runs", () => import("./features/command-runs/list-page"), "CommandRunsPage"),
  page("/command-runs/-/new", () => import("./features/command-runs/new-page"), "NewCommandRunPage"),
  page("/command-runs/$id", () => import("./features/command-runs/detail-page"), "CommandRunPage"),
  page("/rollouts", () => import("./features/rollouts/list-page"), "RolloutsPage"),
  page("/rollouts/$kind", () => import("./features/rollouts/list-page"), "RolloutsPage"),
  page("/rollouts/$kind/$id", () => import("./features/rollouts/detail-page"), "RolloutPage"),
  page("/crash-groups", () => import("./features/crash-groups/list-page"), "CrashGroupsPage"),
  page("/crash-groups/$id", () => import("./features/crash-groups/detail-page"), "CrashGroupPage"),
  page("/crashes", () => import("./features/crashes/list-page"), "CrashesPage"),
  page("/crashes/$id", () => import("./features/crashes/detail-page"), "CrashPage"),
  page("/feedback", () => import("./features/feedback/list-page"), "FeedbackListPage"),
  page("/feedback/$id", () => import("./features/feedback/detail-page"), "FeedbackPage"),
  page("/proposals", () => import("./features/proposals/list-page"), "ProposalsPage"),
  page("/proposals/$id", () => import("./features/proposals/detail-page"), "ProposalPage"),
  page("/audit", () => import("./features/audit/list-page"), "AuditPage"),
  page("/server", () => import("./features/server/server-page"), "ServerPage"),
  page("/help/$guide", () => import("./features/help/help-page"), "HelpPage"),
  page("/audit/$number", () => import("./features/audit/detail-page"), "AuditEntryPage"),
];

function page<Module extends Record<string, unknown>>(
  path: string,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: part(async () => (await load())[name] as ComponentType),
    errorComponent: PageFailed,
  });
}

export function makeRouter(baseName: string) {
  return createRouter({
    routeTree: root.addChildren(PAGES),
    basepath: baseName,
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    scrollRestoration: false,
    defaultNotFoundComponent: NotFound,
  });
}
