/** The orders of the desk: a shared context, so that ticket and blotter are independent of each other. */

export const ORDERS = "Harbour.Orders";

/** Create an order for the ticket to send. */
export function newOrder(ticker, side, quantity, limit) {
  const now = new Date();
  return {
    id: `${now.getTime()}`,
    time: now.toTimeString().slice(0, 8),
    ticker,
    side,
    quantity: Number(quantity),
    limit: Number(limit).toFixed(2),
    state: "Working",
  };
}

/** The orders of the context's data, newest first. */
export const ordersOf = (data) => Object.values(data?.orders ?? {}).sort((a, b) => Number(b.id) - Number(a.id));
