/** Market Watch: selects the instrument of its channel, and raises intents and notifications. */

import { $, contextOf, element, say, start, tickerOf } from "/shared/app.js";
import { INSTRUMENTS, change, instrument, price } from "/shared/market.js";

const rows = new Map();
for (const { ticker, name } of INSTRUMENTS) {
  const row = element(
    "tr",
    { tabindex: "-1", "data-ticker": ticker, "aria-selected": "false" },
    element("td", {}, element("strong", {}, ticker)),
    element("td", { class: "name" }, name),
    element("td", { class: "number" }),
    element("td", { class: "number" }),
  );
  rows.set(ticker, row);
}
$("#rows").append(...rows.values());
rows.values().next().value.tabIndex = 0;

function showPrices() {
  for (const [ticker, row] of rows) {
    const moved = change(ticker);
    row.cells[2].textContent = price(ticker).toFixed(2);
    row.cells[3].textContent = `${moved < 0 ? "−" : "+"}${Math.abs(moved).toFixed(2)} %`;
    row.cells[3].className = `number ${moved < 0 ? "down" : "up"}`;
  }
}
showPrices();
setInterval(showPrices, 2_000);

function mark(ticker) {
  for (const [each, row] of rows) {
    row.setAttribute("aria-selected", String(each === ticker));
    row.tabIndex = each === ticker ? 0 : -1;
  }
}

const { client, select, selected } = await start(mark);
if (!selected()) await select(INSTRUMENTS[0].ticker);

$("#rows").addEventListener("click", ({ target }) => select(target.closest("tr").dataset.ticker));
$("#rows").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target.closest("tr");
  const next = step && [...rows.values()][[...rows.values()].indexOf(row) + step];
  if (event.key === "Enter" || event.key === " ") select(row.dataset.ticker);
  else if (next) {
    next.focus();
    select(next.dataset.ticker);
  } else return;
  event.preventDefault();
});

async function raise(intent) {
  const ticker = selected();
  if (!ticker) return say("Select an instrument first.");
  if (!client) return say("This page is not connected to other apps.");
  try {
    await client.raise(intent, contextOf(ticker));
    say("");
  } catch (error) {
    say(error.message);
  }
}

$("#chart").addEventListener("click", () => raise("ViewChart"));
$("#order").addEventListener("click", () => raise("CreateOrder"));
$("#alert").addEventListener("click", async () => {
  const ticker = selected();
  if (!ticker) return say("Select an instrument first.");
  if (!client) return say("This page is not connected to other apps.");
  try {
    const { name } = instrument(ticker);
    say(await client.notify(`${name} is at ${price(ticker).toFixed(2)}`, "Price alert of Market Watch", "Medium"));
  } catch (error) {
    say(error.message);
  }
});
for (const intent of ["ViewQuote", "ViewInstrument"]) {
  await client?.onIntent(intent, (context) => select(tickerOf(context)));
}
