/**
 * A main page with the reference agent, which runs in the page, with apps in windows or frames. Benchmarks and results
 * of the conformance suite are compared with it.
 */

import {
  DesktopAgentFactory,
  type OpenApplicationStrategyResolverParams,
  subscribeToConnectionAttemptUuids,
} from "@morgan-stanley/fdc3-web";

interface Setting {
  readonly records: readonly { readonly appId: string; readonly details: { readonly url: string } }[];
  readonly open: readonly string[];
  readonly inFrames?: boolean;
}

const setting: Setting = await (await fetch("setting.json")).json();
const host = location.host;
// biome-ignore lint/suspicious/noExplicitAny: the records are those of the directory
const apps = setting.records as any;
const inFrames = {
  canOpen: async () => true,
  open: async ({ appDirectoryRecord }: OpenApplicationStrategyResolverParams) => {
    const frame = openFrame((appDirectoryRecord.details as { url: string }).url);
    return new Promise<string>((resolve) => {
      const subscription = subscribeToConnectionAttemptUuids(window, frame, (attempt: string) => {
        subscription.unsubscribe();
        resolve(attempt);
      });
    });
  },
};
await new DesktopAgentFactory().createRoot({
  rootAppId: "root",
  appDirectoryEntries: [{ host, apps }],
  ...(setting.inFrames ? { applicationStrategies: [inFrames] } : {}),
});

function openFrame(url: string): Window {
  const frame = document.createElement("iframe");
  frame.src = url;
  document.body.append(frame);
  if (frame.contentWindow === null) throw new Error("The frame has no window");
  return frame.contentWindow;
}

function openApp(appId: string): void {
  const url = setting.records.find((each) => each.appId === appId)?.details.url;
  if (url === undefined) return;
  if (setting.inFrames) openFrame(url);
  else window.open(url, "_blank", "popup");
}

Object.assign(window, { openApp, isReady: true });
for (const appId of setting.open) openApp(appId);
