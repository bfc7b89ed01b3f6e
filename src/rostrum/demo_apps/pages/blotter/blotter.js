/** Order Blotter: lists the orders of the desk; selecting one selects its instrument in the channel. */

import { $, element, start, tickerOf } from "/shared/app.js";
import { ORDERS, ordersOf } from "/shared/orders.js";

let marked = null;

function mark(ticker) {
  marked = ticker;
  for (const row of $("#rows").rows) row.setAttribute("aria-selected", String(row.dataset.ticker === ticker));
}

function show(data) {
  const orders = ordersOf(data);
  $("#empty").hidden = orders.length > 0;
  $("#rows").replaceChildren(
    ...orders.map(({ time, ticker, side, quantity, limit, state }) =>
      element(
        "tr",
        { tabindex: "0", "data-ticker": ticker },
        element("td", {}, time),
        element("td", {}, element("strong", {}, ticker)),
        element("td", {}, side),
        element("td", { class: "number" }, String(quantity)),
        element("td", { class: "number" }, String(limit)),
        element("td", {}, state),
      ),
    ),
  );
  mark(marked);
}

const { client, select } = await start(mark);
$("#rows").addEventListener("click", ({ target }) => select(target.closest("tr").dataset.ticker));
$("#rows").addEventListener("keydown", (event) => {
  if (event.key === "Enter") select(event.target.closest("tr").dataset.ticker);
});
await client?.follow(ORDERS, show);
await client?.onIntent("ViewOrders", (context) => select(tickerOf(context)));
