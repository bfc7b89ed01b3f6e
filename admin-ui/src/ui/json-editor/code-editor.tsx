/** A CodeMirror editor for JSON; loaded only when a page shows one. */

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { List, Text, UnstyledButton, useComputedColorScheme } from "@mantine/core";
import { useEffect, useId, useMemo, useRef } from "react";
import { useNonce } from "../nonce";
import { colours } from "./colours";
import { placesIn, problemMarks } from "./marks";
import type { EditorProblem } from "./problem-path";
import { schemaSupport } from "./schema/extension";
import type { Schema } from "./schema/schema";

export interface CodeEditorProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
  schema?: Schema | undefined;
  readOnly?: boolean;
  /** Problems found by the manager; without them, only the schema is used. */
  problems?: readonly EditorProblem[] | undefined;
}

const MOST_LISTED = 50;

export default function CodeEditor({ label, text, onChange, schema, readOnly = false, problems }: CodeEditorProps) {
  const listId = useId();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const tell = useRef(onChange);
  tell.current = onChange;
  const nonce = useNonce();
  const scheme = useComputedColorScheme("light");
  const first = useRef(text);

  const isChecked = problems !== undefined;
  const support = useMemo(
    // Problems found by the manager are not marked twice.
    () => (schema ? schemaSupport(schema, { marks: !isChecked }) : []),
    [schema, isChecked],
  );
  const marks = useMemo(() => marksOf(problems, listId), [problems, listId]);
  const current = useRef({ support, marks, scheme });
  current.current = { support, marks, scheme };

  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          nonce ? EditorView.cspNonce.of(nonce) : [],
          basics(label),
          EditorState.readOnly.of(readOnly),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              first.current = update.state.doc.toString();
              tell.current(first.current);
            }
          }),
          parts.schema.of(current.current.support),
          parts.marks.of(current.current.marks),
          parts.colours.of(colours(current.current.scheme)),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, nonce, readOnly]);

  useEffect(() => replace(view.current, parts.schema, support), [support]);
  useEffect(() => replace(view.current, parts.marks, marks), [marks]);
  useEffect(() => replace(view.current, parts.colours, colours(scheme)), [scheme]);

  // The text was changed from outside: by the form, or by the server.
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text) {
      editor.dispatch({ changes: differenceBetween(editor.state.doc.toString(), text) });
    }
  }, [text]);

  const goTo = (from: number) => {
    const editor = view.current;
    if (!editor) return;
    editor.dispatch({ selection: { anchor: Math.min(from, editor.state.doc.length) }, scrollIntoView: true });
    editor.focus();
  };

  return (
    <>
      <div ref={place} className="code-editor" />
      {problems && problems.length > 0 && (
        <Problems id={listId} label={label} text={text} problems={problems} onChoose={goTo} />
      )}
    </>
  );
}

interface ProblemsProps {
  id: string;
  label: string;
  text: string;
  problems: readonly EditorProblem[];
  onChoose: (from: number) => void;
}

/** Each problem with its line. */
function Problems({ id, label, text, problems, onChoose }: ProblemsProps) {
  const shown = problems.slice(0, MOST_LISTED);
  const current = useRef(text);
  current.current = text;
  // The lines of the validated text: a long text is not parsed again with each key.
  const places = useMemo(() => placesIn(current.current, problems.slice(0, MOST_LISTED)), [problems]);
  return (
    <List id={id} size="sm" listStyleType="none" mt={4} aria-label={`Problems in ${label}`}>
      {shown.map(({ path, message, severity }, index) => (
        <List.Item key={`${path} ${message}`} className="breaks">
          <UnstyledButton
            className="text-link"
            fz="sm"
            aria-label={`Go to line ${places[index]?.line ?? 1}`}
            onClick={() => onChoose(places[index]?.from ?? 0)}
          >
            Line {places[index]?.line ?? 1}
          </UnstyledButton>
          <Text span size="sm" {...(severity === "error" ? { c: "var(--mantine-color-error)" } : {})}>
            {path && (
              <>
                {", "}
                <strong>{path}</strong>
              </>
            )}
            : {message}
          </Text>
        </List.Item>
      ))}
      {problems.length > MOST_LISTED && <List.Item>and {problems.length - MOST_LISTED} more</List.Item>}
    </List>
  );
}

/** The changed part of a text, so that the cursor stays, and undo reverts only this part. */
function differenceBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Replaces a part of the configuration, unless the editor was created with it. */
function replace(editor: EditorView | null, part: Compartment, extension: Extension): void {
  if (editor && part.get(editor.state) !== extension) editor.dispatch({ effects: part.reconfigure(extension) });
}

function marksOf(problems: readonly EditorProblem[] | undefined, listId: string): Extension {
  const isWrong = problems?.some(({ severity }) => severity === "error") ?? false;
  const attributes = {
    ...(problems?.length ? { "aria-describedby": listId } : {}),
    ...(isWrong ? { "aria-invalid": "true" } : {}),
  };
  return [problems ? problemMarks(problems) : [], EditorView.contentAttributes.of(attributes)];
}

const parts = { schema: new Compartment(), marks: new Compartment(), colours: new Compartment() };

function basics(label: string): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
    json(),
    lintGutter(),
    linter(jsonParseLinter(), { delay: 300 }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    // No entry for Tab: it must leave the editor, so that the keyboard focus is not trapped.
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
  ];
}
