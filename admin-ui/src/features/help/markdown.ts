/** Parses the Markdown syntax that the guides use, as data for a component. */

export type Inline =
  | { readonly kind: "text" | "code" | "strong" | "em"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly to: string };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: readonly Inline[]; readonly id: string }
  | { readonly kind: "paragraph"; readonly text: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "table"; readonly head: readonly (readonly Inline[])[]; readonly rows: readonly Row[] };

type Row = readonly (readonly Inline[])[];

const FENCE = /^\s*```/;
const HEADING = /^(#{1,6}) (.+)$/;
const ITEM = /^\s*(?:[-*]|(\d+)\.) (.+)$/;
const TABLE = /^\|.*\|$/;
const RULE = /^\|[-:| ]+\|$/;
const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|\*(.+?)\*|!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)|<(https?:[^>]+)>/g;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number): { block: Block | null; next: number } {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { block: null, next: at + 1 };
  if (FENCE.test(line)) {
    const end = until(lines, at + 1, (each) => FENCE.test(each));
    return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
  }
  const heading = HEADING.exec(line);
  if (heading?.[1] && heading[2]) {
    const text = inlinesOf(heading[2]);
    return { block: { kind: "heading", level: heading[1].length, text, id: idOf(text) }, next: at + 1 };
  }
  if (TABLE.test(line)) {
    const end = until(lines, at, (each) => !TABLE.test(each));
    const [head = [], ...rows] = lines
      .slice(at, end)
      .filter((each) => !RULE.test(each))
      .map(cellsOf);
    return { block: { kind: "table", head, rows }, next: end };
  }
  if (ITEM.test(line)) return listAt(lines, at);
  const end = until(lines, at + 1, (each) => each.trim() === "" || startsBlock(each));
  return { block: { kind: "paragraph", text: inlinesOf(joined(lines.slice(at, end))) }, next: end };
}

function listAt(lines: readonly string[], at: number): { block: Block; next: number } {
  const end = until(lines, at, (each, index) => {
    const isIndented = /^\s+\S/.test(each);
    const continues = ITEM.test(each) || isIndented;
    // An empty line ends the list unless the next line belongs to it.
    const follows =
      each.trim() === "" && (ITEM.test(lines[index + 1] ?? "") || /^\s{2,}\S/.test(lines[index + 1] ?? ""));
    return !continues && !follows && startsNothing(each);
  });
  const items: string[][] = [];
  for (const line of lines.slice(at, end)) {
    const item = ITEM.exec(line);
    if (item?.[2]) items.push([item[2]]);
    else if (line.trim() && !FENCE.test(line)) items.at(-1)?.push(line);
  }
  const isOrdered = /^\s*\d/.test(lines[at] ?? "");
  return { block: { kind: "list", isOrdered, items: items.map((item) => inlinesOf(joined(item))) }, next: end };
}

const startsNothing = (line: string): boolean => line.trim() === "" || startsBlock(line) || !/^\s/.test(line);
const startsBlock = (line: string): boolean =>
  FENCE.test(line) || HEADING.test(line) || TABLE.test(line) || ITEM.test(line);

function until(lines: readonly string[], from: number, ends: (line: string, index: number) => boolean): number {
  for (let at = from; at < lines.length; at += 1) if (ends(lines[at] ?? "", at)) return at;
  return lines.length;
}

const joined = (lines: readonly string[]): string => lines.map((line) => line.trim()).join(" ");

function cellsOf(line: string): Row {
  // A vertical bar in code is written with a backslash.
  const cells = line.slice(1, -1).split(/(?<!\\)\|/);
  return cells.map((cell) => inlinesOf(cell.trim().replaceAll("\\|", "|")));
}

export function inlinesOf(text: string): Inline[] {
  const inlines: Inline[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > at) inlines.push({ kind: "text", text: text.slice(at, found.index) });
    const [, , code, strong, em, label, to, address] = found;
    if (code !== undefined) inlines.push({ kind: "code", text: code.trim() });
    else if (strong !== undefined) inlines.push({ kind: "strong", text: plain(strong) });
    else if (em !== undefined) inlines.push({ kind: "em", text: plain(em) });
    else if (to !== undefined) inlines.push({ kind: "link", text: plain(label ?? ""), to });
    else if (address !== undefined) inlines.push({ kind: "link", text: address, to: address });
    at = found.index + found[0].length;
  }
  if (at < text.length) inlines.push({ kind: "text", text: text.slice(at) });
  return inlines;
}

const plain = (text: string): string => text.replaceAll("`", "");

/** The anchor of a heading, as on the documentation site. */
function idOf(text: readonly Inline[]): string {
  const words = text.map((each) => each.text).join("");
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
}
