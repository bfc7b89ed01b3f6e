/** News Wire: headlines about the instrument of its channel; selecting one selects its company. */

import { $, element, start, tickerOf } from "/shared/app.js";
import { HEADLINES, instrument } from "/shared/market.js";

let company = null;

function draw() {
  const all = $("#all").checked || !company;
  $("#stories").replaceChildren(
    ...HEADLINES.filter(({ ticker }) => all || ticker === company).map(({ time, ticker, title, topic }) => {
      const button = element(
        "button",
        { type: "button", class: "story", "data-ticker": ticker },
        element("span", { class: "dimmed" }, time),
        element("span", {}, title),
        element("small", {}, `${instrument(ticker).name} · ${topic}`),
      );
      return element("li", ticker === company ? { "aria-current": "true" } : {}, button);
    }),
  );
}

function show(ticker) {
  company = ticker;
  draw();
}

draw();
const { client, select } = await start(show);
$("#all").addEventListener("change", draw);
$("#stories").addEventListener("click", ({ target }) => {
  const story = target.closest("button");
  if (story) select(story.dataset.ticker);
});
await client?.onIntent("ViewNews", (context) => select(tickerOf(context)));
