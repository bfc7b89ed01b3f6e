/** A JSON value as text: keeps the text while it is not valid JSON. */

import { useEffect, useRef, useState } from "react";
import { parseExact } from "../../api/exact-number";
import { isSame } from "../document/changes";
import { parseJson } from "./parse";

export interface JsonTextSource<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Receives the problem of the text, or null. */
  readonly onProblem: (problem: string | null) => void;
  /** The accepted values; by default, all. */
  readonly accepts?: ((value: unknown) => value is Value) | undefined;
  readonly expected?: string | undefined;
  /** Numbers keep their text, see `parseExact`. */
  readonly exact?: boolean;
}

export interface JsonText {
  readonly text: string;
  readonly problem: string | null;
  readonly setText: (text: string) => void;
}

export function useJsonText<Value>(source: JsonTextSource<Value>): JsonText {
  const { value, onChange, onProblem, accepts, expected = "JSON", exact = false } = source;
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const own = useRef(value);

  useEffect(() => {
    if (isSame(value, own.current)) return;
    own.current = value;
    setText(JSON.stringify(value, null, 2));
    setProblem(null);
    onProblem(null);
  }, [value, onProblem]);

  const typed = (next: string) => {
    setText(next);
    const read = exact ? parseJson(next, parseExact) : parseJson(next);
    const wrong =
      "problem" in read ? read.problem : accepts && !accepts(read.value) ? `This must be ${expected}.` : null;
    setProblem(wrong);
    onProblem(wrong);
    if (wrong === null && "value" in read && !isSame(read.value, own.current)) {
      own.current = read.value as Value;
      onChange(read.value as Value);
    }
  };

  return { text, problem, setText: typed };
}
