// Reads orders as JSON lines, carries each out and answers with one line: how a benchmark steers its load.
import { createInterface } from "node:readline";

export async function carryOut(orders) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { do: what, ...details } = JSON.parse(line);
    try {
      console.log(JSON.stringify((await orders[what](details)) ?? {}));
    } catch (error) {
      console.log(JSON.stringify({ error: `${what}: ${error.stack ?? JSON.stringify(error)}` }));
    }
  }
}

// Starts `width` loops that each do the thing again and again until the count is reached; tells latencies.
export async function repeat(count, width, thing) {
  const latencies = new Float64Array(count);
  let started = 0;
  const began = performance.now();
  const loop = async (number) => {
    while (started < count) {
      const turn = started++;
      const before = performance.now();
      await thing(number, turn);
      latencies[turn] = performance.now() - before;
    }
  };
  await Promise.all(Array.from({ length: width }, (_, number) => loop(number)));
  return { count, seconds: (performance.now() - began) / 1000, ...percentiles(latencies) };
}

export function percentiles(latencies) {
  latencies.sort();
  const at = (part) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))];
  return { p50: at(0.5), p99: at(0.99) };
}
