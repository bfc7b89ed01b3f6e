/** Problems that the manager found in a JSON document, at their positions in the text. */

import { jsonLanguage } from "@codemirror/lang-json";
import { syntaxTree } from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorProblem, stepsTo } from "./problem-path";
import { rangeAt } from "./schema/place";

/** Mark problems in the text; their positions are updated while the text changes. */
export function problemMarks(problems: readonly EditorProblem[]): Extension {
  return linter((view) => problems.flatMap((problem) => markOf(problem, view.state)), { delay: 0 });
}

/** The position and line of each problem in a text; the beginning if it has none. */
export function placesIn(text: string, problems: readonly EditorProblem[]): { from: number; line: number }[] {
  if (problems.length === 0) return [];
  const tree = jsonLanguage.parser.parse(text);
  const slice = (from: number, to: number) => text.slice(from, to);
  const document = parsed(text);
  return problems.map(({ path }) => {
    const from = rangeAt(tree, stepsTo(document, path), slice)?.from ?? 0;
    return { from, line: text.slice(0, from).split("\n").length };
  });
}

function markOf(problem: EditorProblem, state: EditorState): Diagnostic[] {
  const document = parsed(state.doc.toString());
  if (document === undefined) return [];
  const slice = (from: number, to: number) => state.sliceDoc(from, to);
  const range = rangeAt(syntaxTree(state), stepsTo(document, problem.path), slice);
  if (!range) return [];
  // A mark under a whole object would hide its content.
  const to = Math.min(range.to, state.doc.lineAt(range.from).to);
  const severity = problem.severity === "error" ? "error" : problem.severity === "note" ? "info" : "warning";
  return [{ from: range.from, to, severity, message: problem.message }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
