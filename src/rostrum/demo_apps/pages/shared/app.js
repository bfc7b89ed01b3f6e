/**
 * The common part of the demo apps: connects, shows the channel, follows the theme, and shares the selected instrument.
 */

import { connectToAgent, inBrowserPlatform } from "./fdc3-client.js";
import { connect, inPlatform } from "./rostrum-client.js";
import { instrument } from "./market.js";

const INSTRUMENT = "fdc3_fdc3&instrument";
const THEMES = "Rostrum.Themes";

/** Create an element: `element("td", {class: "number"}, "12.5")`. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const $ = (selector) => document.querySelector(selector);

/**
 * Start an app. `show(ticker)` is called whenever another instrument is selected, here or in another window of the
 * channel. Returns the client, and `select`, which selects an instrument for all of them.
 */
export async function start(show) {
  let selected = null;
  const onSelected = (ticker) => {
    if (!instrument(ticker) || ticker === selected) return;
    selected = ticker;
    show(ticker);
  };
  const alone = { client: null, select: onSelected, selected: () => selected };
  if (!inPlatform() && inBrowserPlatform()) {
    try {
      return await startInBrowser(onSelected, () => selected);
    } catch {
      showChannel("Not connected to an FDC3 agent");
      return alone;
    }
  }
  if (!inPlatform()) {
    showChannel("Open this page as an app of the demo desktop, or in the browser platform.");
    return alone;
  }
  const client = await connect();
  await followTheme(client);
  await client.onChannel((data, channels, color) => {
    showChannel(channels.join(", ") || "No channel", color);
    onSelected(data[INSTRUMENT]?.id?.ticker);
  });
  const select = async (ticker) => {
    onSelected(ticker);
    const { name } = instrument(ticker);
    await client.publish({ [INSTRUMENT]: { type: "fdc3.instrument", name, id: { ticker } } });
  };
  const { ticker } = await client.saved(() => ({ ticker: selected }));
  if (ticker && !selected) await select(ticker);
  return { client, select, selected: () => selected };
}

/** In a browser, the agent of the user connects the apps. The platform shows the theme and the channel around the page. */
async function startInBrowser(onSelected, selected) {
  const client = await connectToAgent();
  await client.onInstrument(onSelected, showChannel);
  const select = async (ticker) => {
    onSelected(ticker);
    await client.publish(contextOf(ticker));
  };
  return { client, select, selected };
}

/** The instrument in an intent's FDC3 context. */
export const tickerOf = (context) => context?.id?.ticker ?? context?.context?.id?.ticker;

/** The FDC3 context of an instrument. */
export const contextOf = (ticker) => ({ type: "fdc3.instrument", name: instrument(ticker).name, id: { ticker } });

/** Show a message at the bottom, such as an error. */
export function say(text) {
  $("#message").textContent = text;
}

function showChannel(name, color) {
  const badge = $("#channel");
  badge.textContent = name;
  badge.style.setProperty("--channel", color ?? "transparent");
}

async function followTheme(client) {
  await client.follow(THEMES, ({ selected }) => {
    const scheme = /night|dark/i.test(selected ?? "") ? "dark" : /day|light/i.test(selected ?? "") ? "light" : "";
    document.documentElement.dataset.theme = scheme;
  });
}
