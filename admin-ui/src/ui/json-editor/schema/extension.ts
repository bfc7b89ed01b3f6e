/** Completion, documentation on hover and marks, all from a JSON Schema. */

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { findMistakes } from "./check";
import { namesIn, pathAt, rangeAt } from "./place";
import { explain, type Schema, schemasAt, starterOf } from "./schema";

/** Longer documents are validated by the manager only, so that typing stays fast. */
const LONGEST_CHECKED = 300_000;
const WORD = /^"?[\w$.-]*"?$/;

export function schemaSupport(schema: Schema, { marks }: { marks: boolean }): Extension {
  return [
    autocompletion({ override: [(context) => complete(schema, context)] }),
    hoverTooltip((view, position) => {
      const node = syntaxTree(view.state).resolveInner(position, 1);
      const member = around(node, "Property");
      if (!member || !around(node, "PropertyName")) return null;
      const lines = schemasAt(schema, pathAt(member, textOf(view.state))).flatMap(explain);
      if (lines.length === 0) return null;
      return { pos: node.from, end: node.to, create: () => ({ dom: paragraphs([...new Set(lines)]) }) };
    }),
    marks ? linter((view) => mistakesIn(schema, view.state), { delay: 500 }) : [],
  ];
}

function complete(schema: Schema, context: CompletionContext): CompletionResult | null {
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  const object = objectForNames(node);
  return object ? completeName(schema, context, node, object) : completeValue(schema, context, node);
}

/** The object in which a name may be entered at this position. */
function objectForNames(node: SyntaxNode): SyntaxNode | null {
  if (node.name === "PropertyName") return around(node, "Object");
  if (node.name === "Object") return node;
  return ["{", ",", "⚠"].includes(node.name) && node.parent?.name === "Object" ? node.parent : null;
}

function completeName(
  schema: Schema,
  context: CompletionContext,
  node: SyntaxNode,
  object: SyntaxNode,
): CompletionResult | null {
  const text = textOf(context.state);
  const word = context.matchBefore(/"?[\w$.-]+|"/);
  if (!context.explicit && !word) return null;
  const isName = node.name === "PropertyName";
  const hasValue = isName && /^\s*:/.test(text(node.to, Math.min(node.to + 20, context.state.doc.length)));
  const taken = new Set(namesIn(object, text));
  const options = schemasAt(schema, pathAt(object, text)).flatMap((holder) => names(holder, taken, hasValue));
  if (options.length === 0) return null;
  return {
    from: isName ? node.from : (word?.from ?? context.pos),
    ...(isName ? { to: node.to } : {}),
    options,
    validFor: WORD,
  };
}

function completeValue(schema: Schema, context: CompletionContext, node: SyntaxNode): CompletionResult | null {
  const property = around(node, "Property");
  if (!property || (!context.explicit && node.name !== "String")) return null;
  const word = context.matchBefore(/"?[\w$.-]*/);
  const options = schemasAt(schema, pathAt(property, textOf(context.state))).flatMap(values);
  return options.length > 0 ? { from: word?.from ?? context.pos, options, validFor: WORD } : null;
}

function names(schema: Schema, taken: ReadonlySet<string>, hasValue: boolean): Completion[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !taken.has(name) || hasValue)
    .map(([name, member]) => ({
      label: `"${name}"`,
      type: "property",
      detail: [member.type ?? ""].flat().join(" | "),
      apply: hasValue ? JSON.stringify(name) : `${JSON.stringify(name)}: ${starterOf(member)}`,
      info: () => paragraphs(explain(member)),
    }));
}

function values(schema: Schema): Completion[] {
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : []);
  return choices.map((value) => ({ label: JSON.stringify(value), type: "enum" }));
}

function mistakesIn(schema: Schema, state: EditorState): Diagnostic[] {
  if (state.doc.length > LONGEST_CHECKED) return [];
  let document: unknown;
  try {
    document = JSON.parse(state.doc.toString());
  } catch {
    return [];
  }
  const tree = syntaxTree(state);
  return findMistakes(schema, document).map(({ path, message }) => {
    const range = rangeAt(tree, path, textOf(state)) ?? { from: 0, to: 1 };
    // A mark under a whole object would hide its content.
    const to = Math.min(range.to, state.doc.lineAt(range.from).to);
    return { from: range.from, to, severity: "warning", message };
  });
}

function around(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (at.name === name) return at;
  return null;
}

const textOf = (state: EditorState) => (from: number, to: number) => state.sliceDoc(from, to);

function paragraphs(lines: readonly string[]): HTMLElement {
  const box = document.createElement("div");
  box.className = "schema-note";
  for (const line of lines) {
    const paragraph = document.createElement("div");
    paragraph.textContent = line;
    box.append(paragraph);
  }
  return box;
}
