/** Price Chart: draws the instrument of its channel, or of an intent. */

import { $, start, tickerOf } from "/shared/app.js";
import { change, history, instrument, price } from "/shared/market.js";

let shown = null;

function draw() {
  if (!shown) return;
  const values = history(shown);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * 100;
    const y = 92 - ((value - low) / (high - low || 1)) * 84;
    return `${x.toFixed(2)},${y.toFixed(2)}`;
  });
  $("#plot .line").setAttribute("d", `M${points.join("L")}`);
  $("#plot .area").setAttribute("d", `M0,100L${points.join("L")}L100,100Z`);
  const moved = change(shown);
  $("#quote").textContent = price(shown).toFixed(2);
  $("#moved").textContent = `${moved < 0 ? "−" : "+"}${Math.abs(moved).toFixed(2)} %`;
  $("#moved").className = moved < 0 ? "down" : "up";
}

function show(ticker) {
  shown = ticker;
  $("#name").textContent = instrument(ticker).name;
  $("#plot").setAttribute("aria-label", `Price history of ${instrument(ticker).name}`);
  draw();
}

const { client, select } = await start(show);
setInterval(draw, 2_000);
await client?.onIntent("ViewChart", (context) => select(tickerOf(context)));
