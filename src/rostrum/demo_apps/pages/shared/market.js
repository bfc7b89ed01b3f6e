/** The instruments, prices and headlines of the demo: invented, and the same in every window at the same time. */

export const INSTRUMENTS = [
  ["PNCR", "Pine Creek Timber", 48.2],
  ["HRBR", "Harbour Shipping", 112.65],
  ["QUAY", "Quayside Foods", 23.4],
  ["LUMN", "Lumen Instruments", 87.15],
  ["OKWD", "Oakwood Energy", 64.9],
  ["SLTR", "Salter & Sons", 15.85],
  ["BRCH", "Birch Analytics", 203.1],
  ["TIDE", "Tidewater Rail", 71.3],
  ["FJRD", "Fjord Minerals", 9.72],
  ["AMBR", "Amber Optics", 134.55],
].map(([ticker, name, base]) => ({ ticker, name, base }));

export const instrument = (ticker) => INSTRUMENTS.find((each) => each.ticker === ticker);

const DAY = 24 * 60;
const STEP_MS = 2_000;

/** A price that depends only on the ticker and the time, so that all windows show the same one. */
export function price(ticker, step = Math.floor(Date.now() / STEP_MS)) {
  const { base } = instrument(ticker);
  const seed = [...ticker].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 997;
  const wave = (period, weight) => weight * Math.sin(((step + seed * 13) * 2 * Math.PI) / period);
  return base * (1 + wave(DAY, 0.04) + wave(211, 0.012) + wave(37, 0.004) + wave(7, 0.0012));
}

/** The last prices, oldest first. */
export function history(ticker, count = 180) {
  const now = Math.floor(Date.now() / STEP_MS);
  return Array.from({ length: count }, (_, index) => price(ticker, now - (count - 1 - index) * 4));
}

/** Change since an hour ago, in percent. */
export function change(ticker) {
  const now = Math.floor(Date.now() / STEP_MS);
  return (price(ticker, now) / price(ticker, now - 1_800) - 1) * 100;
}

const STORIES = [
  ["09:12", "PNCR", "Pine Creek raises its forecast after a strong quarter", "Results"],
  ["09:05", "HRBR", "Harbour Shipping orders four new vessels", "Company"],
  ["08:58", "BRCH", "Birch Analytics wins a contract with three regional banks", "Company"],
  ["08:51", "OKWD", "Oakwood Energy delays its northern pipeline", "Projects"],
  ["08:40", "LUMN", "Lumen Instruments names a new chief engineer", "People"],
  ["08:33", "QUAY", "Quayside Foods recalls a batch of tinned peaches", "Company"],
  ["08:21", "TIDE", "Tidewater Rail carries more freight than ever before", "Results"],
  ["08:15", "FJRD", "Fjord Minerals finds copper at its second site", "Projects"],
  ["08:02", "AMBR", "Amber Optics cuts prices of its entry models", "Products"],
  ["07:48", "SLTR", "Salter & Sons opens its hundredth shop", "Company"],
  ["07:31", "PNCR", "Pine Creek to plant two million trees", "Company"],
  ["07:20", "HRBR", "Dock workers and Harbour Shipping reach an agreement", "People"],
  ["07:04", "BRCH", "Analysts expect a busy autumn for Birch Analytics", "Analysis"],
  ["06:55", "LUMN", "Lumen Instruments expands its laboratory", "Projects"],
];

export const HEADLINES = STORIES.map(([time, ticker, title, topic]) => ({ time, ticker, title, topic }));
