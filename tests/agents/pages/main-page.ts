/** The smallest main page: it opens apps in windows. The page of the platform does the same with panels and a resolver. */

import { Agent, type AgentHost, OpenError } from "../../../platform-ui/src/agent";

interface Record {
  readonly appId: string;
  readonly details: { readonly url: string };
}

interface Setting {
  readonly url: string;
  readonly token: string;
  readonly records: readonly Record[];
  readonly open: readonly string[];
}

interface Seen {
  agent?: Agent;
  channels: readonly { id: string }[];
  statuses: [boolean, string][];
  refusals: [string, string][];
  selected: { [instanceId: string]: string | null };
  windows: { [instanceId: string]: Window };
}

/** What tests look at. */
const seen: Seen = { channels: [], statuses: [], refusals: [], selected: {}, windows: {} };
Object.assign(window, { seen });

const setting: Setting = await (await fetch("setting.json")).json();

const host: AgentHost = {
  async open({ appId, instanceId }) {
    openApp(appId, instanceId);
    return instanceId;
  },
  async choose({ appIntents }) {
    const [first] = appIntents;
    const [app] = first?.apps ?? [];
    return first === undefined || app === undefined ? undefined : { intent: first.intent.name, ...app };
  },
  channelChanged: (instanceId, channelId) => {
    seen.selected[instanceId] = channelId;
  },
  channels: (channels) => {
    seen.channels = channels;
  },
  status: (isConnected, reason) => {
    seen.statuses.push([isConnected, reason]);
  },
  refused: (app, reason) => {
    seen.refusals.push([app.appId, reason]);
  },
};

const agent = new Agent({
  url: setting.url,
  credentials: async () => ({ method: "access-token", token: setting.token }),
  host,
});
seen.agent = agent;

function openApp(appId: string, instanceId: string): void {
  const record = setting.records.find((each) => each.appId === appId);
  if (record === undefined) throw new OpenError("AppNotFound");
  const opened = window.open(record.details.url, "_blank", "popup");
  if (opened === null) throw new OpenError("ErrorOnLaunch");
  agent.add(opened, {
    appId,
    instanceId,
    origin: new URL(record.details.url).origin,
    place: crypto.randomUUID(),
    outlivesPage: true,
  });
  seen.windows[instanceId] = opened;
}

Object.assign(window, { openApp });
for (const appId of setting.open) openApp(appId, crypto.randomUUID());
