/** A JSON value as text: keeps the input while it is not valid JSON, and shows the problem. */

import { Input, Text } from "@mantine/core";
import { Suspense, useEffect, useRef, useState } from "react";
import { isSame } from "../document/changes";
import { LoadProblem } from "../parts/load-problem";
import { PartBoundary, part } from "../parts/part";
import { LoadingState } from "../states/loading-state";
import { parseJson } from "./parse";
import type { EditorProblem } from "./problem-path";
import type { Schema } from "./schema/schema";

const CodeEditor = part(() => import("./code-editor").then((module) => module.default));

interface JsonFieldProps<Value> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  /** Receives the problem of the text, or null. */
  onProblem: (problem: string | null) => void;
  /** The accepted values; by default, all. */
  accepts?: (value: unknown) => value is Value;
  expected?: string;
  schema?: Schema | undefined;
  readOnly?: boolean;
  description?: string;
  /** The problems found by the manager. */
  problems?: readonly EditorProblem[] | undefined;
}

export function JsonField<Value>(props: JsonFieldProps<Value>) {
  const { value, onChange, onProblem, accepts, expected = "JSON" } = props;
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
    const read = parseJson(next);
    const wrong =
      "problem" in read ? read.problem : accepts && !accepts(read.value) ? `This must be ${expected}.` : null;
    setProblem(wrong);
    onProblem(wrong);
    if (wrong === null && "value" in read && !isSame(read.value, own.current)) {
      own.current = read.value as Value;
      onChange(read.value as Value);
    }
  };

  return (
    <Input.Wrapper label={props.label} description={props.description} labelElement="div" className="json-field">
      <PartBoundary failed={(error, onLoaded) => <LoadProblem what="The editor" error={error} onLoaded={onLoaded} />}>
        <Suspense fallback={<LoadingState />}>
          <CodeEditor
            label={props.label}
            text={text}
            onChange={typed}
            schema={props.schema}
            readOnly={props.readOnly ?? false}
            problems={props.problems}
          />
        </Suspense>
      </PartBoundary>
      <Text size="sm" c="var(--mantine-color-error)" role="status" mih="1.4em">
        {problem}
      </Text>
    </Input.Wrapper>
  );
}
