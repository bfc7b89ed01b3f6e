/** The user's layouts of workspaces, which desktops share. */

import { useQuery } from "@tanstack/react-query";
import type { Client } from "../../../admin-ui/src/api/client";
import { useClient } from "../../../admin-ui/src/api/context";
import type { WorkspaceState } from "../workspace/layout-format";

export interface WorkspaceLayout {
  readonly name: string;
  readonly state: WorkspaceState;
}

export const LAYOUTS = ["layouts"] as const;

export function useLayouts() {
  const client = useClient();
  return useQuery({
    queryKey: LAYOUTS,
    queryFn: async ({ signal }) => {
      const [layouts, first] = await Promise.all([readLayouts(client, signal), readDefault(client, signal)]);
      return { layouts, first };
    },
  });
}

/** The user's default layout, if it is a workspace. */
export async function readDefaultLayout(client: Client): Promise<WorkspaceLayout | null> {
  const first = await readDefault(client);
  if (!first) return null;
  return (await readLayouts(client)).find((layout) => layout.name === first) ?? null;
}

export async function saveLayout(client: Client, name: string, state: WorkspaceState): Promise<void> {
  const layout = { name, type: "Workspace", components: [{ type: "Workspace", state }] };
  await client.call("saveLayout", { body: { layout } });
}

export async function removeLayout(client: Client, name: string): Promise<void> {
  await client.call("removeLayouts", { body: { name, type: "Workspace" } });
}

/** Set the default layout; null leaves the choice to administrators. */
export async function chooseDefault(client: Client, name: string | null): Promise<void> {
  await client.call("setDefaultLayout", { body: name === null ? {} : { name, type: "Workspace" } });
}

async function readDefault(client: Client, signal?: AbortSignal): Promise<string | null> {
  const { data } = await client.call("getDefaultLayout", signal ? { signal } : {});
  return data?.type === "Workspace" ? (data.name ?? null) : null;
}

async function readLayouts(client: Client, signal?: AbortSignal): Promise<WorkspaceLayout[]> {
  const { data } = await client.call("getLayouts", signal ? { signal } : {});
  return data.layouts
    .flatMap((layout): WorkspaceLayout[] => {
      const components = Array.isArray(layout.components) ? (layout.components as Record<string, unknown>[]) : [];
      const workspace = components.find((component) => component.type === "Workspace");
      if (layout.type !== "Workspace" || !workspace) return [];
      return [{ name: String(layout.name), state: workspace.state as WorkspaceState }];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}
