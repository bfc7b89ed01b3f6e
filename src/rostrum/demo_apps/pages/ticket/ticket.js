/** Order Ticket: prepares an order for the instrument of its channel, and adds it to the orders of the desk. */

import { $, element, say, start, tickerOf } from "/shared/app.js";
import { INSTRUMENTS, instrument, price } from "/shared/market.js";
import { ORDERS, newOrder } from "/shared/orders.js";

$("#ticker").append(...INSTRUMENTS.map(({ ticker, name }) => element("option", { value: ticker }, `${ticker} ${name}`)));

function show(ticker) {
  $("#ticker").value = ticker;
  $("#limit").value = price(ticker).toFixed(2);
}
show(INSTRUMENTS[0].ticker);

const { client, select } = await start(show);
$("#ticker").addEventListener("change", () => select($("#ticker").value));

$("#form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!client) return say("This page is not connected to other apps.");
  const order = newOrder($("#ticker").value, $("#side").value, $("#quantity").value, $("#limit").value);
  try {
    await client.update(ORDERS, { [`orders.${order.id}`]: order });
    const { name } = instrument(order.ticker);
    await client.notify("Order sent", `${order.side} ${order.quantity} ${name} at ${order.limit}`);
    say(`${order.side} ${order.quantity} ${name}: sent.`);
  } catch (error) {
    say(error.message);
  }
});
await client?.onIntent("CreateOrder", (context) => select(tickerOf(context)));
