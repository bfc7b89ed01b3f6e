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
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useNonce } from "../nonce";
import { colours } from "./colours";
import { schemaSupport } from "./schema/extension";
import type { Schema } from "./schema/schema";

export interface CodeEditorProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
  schema?: Schema | undefined;
  readOnly?: boolean;
}

export default function CodeEditor({ label, text, onChange, schema, readOnly = false }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const tell = useRef(onChange);
  tell.current = onChange;
  const nonce = useNonce();
  const scheme = useComputedColorScheme("light");
  const first = useRef(text);

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
          parts.schema.of([]),
          parts.colours.of([]),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, nonce, readOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.schema.reconfigure(schema ? schemaSupport(schema) : []) });
  }, [schema]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.colours.reconfigure(colours(scheme)) });
  }, [scheme]);

  // The text came from elsewhere: from the form beside it, or from the server.
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    }
  }, [text]);

  return <div ref={place} className="code-editor" />;
}

const parts = { schema: new Compartment(), colours: new Compartment() };

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
    // Escape and Tab leave the editor, so that the keyboard never gets stuck in it.
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
