/** Any other app of the demo firm: shows its identity and the data it receives. */

import { $, start } from "/shared/app.js";
import { instrument } from "/shared/market.js";

function show(ticker) {
  $("#instrument").textContent = `${ticker} ${instrument(ticker).name}`;
}

const { client } = await start(show);
if (client) {
  const { title, caption } = await client.about();
  $("#title").textContent = document.title = title;
  $("#about").textContent = caption;
}
