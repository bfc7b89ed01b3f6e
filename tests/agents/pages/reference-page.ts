/** A main page with the reference agent, which runs in the page. Benchmarks compare the agent on the gateway with it. */

import { DesktopAgentFactory } from "@morgan-stanley/fdc3-web";

interface Setting {
  readonly records: readonly { readonly appId: string; readonly details: { readonly url: string } }[];
}

const setting: Setting = await (await fetch("setting.json")).json();
const host = location.host;
// biome-ignore lint/suspicious/noExplicitAny: the records are those of the directory
const apps = setting.records as any;
await new DesktopAgentFactory().createRoot({ rootAppId: "root", appDirectoryEntries: [{ host, apps }] });

function openApp(appId: string): void {
  const record = setting.records.find((each) => each.appId === appId);
  if (record !== undefined) window.open(record.details.url, "_blank", "popup");
}

Object.assign(window, { openApp, isReady: true });
