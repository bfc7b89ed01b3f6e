/** Every page and its address. */

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Frame } from "./shell/frame";
import { NotFound } from "./shell/not-found";
import { PageFailed } from "./shell/page-failed";
import { parseSearch, stringifySearch } from "./ui/list/list-search";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: PageFailed });

const PAGES = [
  page("/", () => import("./features/dashboard/dashboard-page"), "DashboardPage"),
  page("/apps", () => import("./features/apps/list-page"), "AppsPage"),
  page("/apps/new", () => import("./features/apps/new-page"), "NewAppPage"),
  page("/apps/$name", () => import("./features/apps/edit-page"), "AppPage"),
];

function page<Module extends Record<string, unknown>>(
  path: string,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load as () => Promise<Record<string, never>>, name),
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
