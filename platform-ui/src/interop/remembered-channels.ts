/**
 * The channels of apps with client libraries, while the tab of the browser is open. For apps with FDC3, the agent
 * stores them.
 */

const KEY = "rostrum-channels";
const MOST = 200;

export function rememberedChannels(instanceId: string): readonly string[] | undefined {
  return read()[instanceId];
}

export function rememberChannels(instanceId: string, channels: readonly string[]): void {
  const { [instanceId]: _before, ...others } = read();
  const all = [...Object.entries(others), [instanceId, channels] as const];
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all.slice(-MOST))));
  } catch {
    // Storage is full or blocked: apps have no channel after a reload then.
  }
}

function read(): Record<string, readonly string[]> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, readonly string[]>;
  } catch {
    return {};
  }
}
