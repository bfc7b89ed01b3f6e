/** The editor's colours, light and dark. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const PALETTES = {
  light: { name: "#174ea6", text: "#1b6e2d", number: "#8a3b00", word: "#7a1fa2", quiet: "#5b6670" },
  dark: { name: "#8ab8ff", text: "#8fdf9d", number: "#ffb37a", word: "#dda0ff", quiet: "#a4adb7" },
} as const;

function made(scheme: "light" | "dark"): Extension {
  const palette = PALETTES[scheme];
  return [
    EditorView.theme(
      {
        "&": { fontSize: "13px", backgroundColor: "var(--mantine-color-body)", color: "var(--mantine-color-text)" },
        ".cm-gutters": { backgroundColor: "transparent", color: palette.quiet, border: "none" },
        ".cm-activeLine": { backgroundColor: "var(--mantine-color-default-hover)" },
        ".cm-activeLineGutter": { backgroundColor: "transparent" },
        ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
        ".cm-tooltip": {
          backgroundColor: "var(--mantine-color-body)",
          border: "1px solid var(--mantine-color-default-border)",
        },
        ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "#1f5fbf", color: "#fff" },
        ".cm-panels": { backgroundColor: "var(--mantine-color-default)", color: "inherit" },
      },
      { dark: scheme === "dark" },
    ),
    syntaxHighlighting(
      HighlightStyle.define([
        { tag: tags.propertyName, color: palette.name },
        { tag: tags.string, color: palette.text },
        { tag: tags.number, color: palette.number },
        { tag: [tags.bool, tags.null], color: palette.word },
        { tag: tags.separator, color: palette.quiet },
      ]),
    ),
  ];
}

/** Made once: the style rules of an extension stay in the page, also after the editor is closed. */
const EXTENSIONS = { light: made("light"), dark: made("dark") };

export const colours = (scheme: "light" | "dark"): Extension => EXTENSIONS[scheme];
