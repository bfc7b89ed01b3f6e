/** Any other app of the demo firm: shows who it is and what it receives. */

import { $, start } from "/shared/app.js";
import { instrument } from "/shared/market.js";

function show(ticker) {
  $("#instrument").textContent = `${ticker} ${instrument(ticker).name}`;
}

const { client } = await start(show);
if (client) {
  const { applications } = await client.call("Rostrum.Apps.List");
  const app = applications.find(({ name }) => name === client.application);
  $("#title").textContent = document.title = app?.title ?? client.application;
  $("#about").textContent = app?.caption ?? "";
}
