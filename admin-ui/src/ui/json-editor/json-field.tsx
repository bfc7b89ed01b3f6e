/** A field for a JSON value as text, with its problem. */

import { Input, Text } from "@mantine/core";
import { Suspense } from "react";
import { LoadProblem } from "../parts/load-problem";
import { PartBoundary, part } from "../parts/part";
import { LoadingState } from "../states/loading-state";
import type { EditorProblem } from "./problem-path";
import type { Schema } from "./schema/schema";
import { type JsonText, type JsonTextSource, useJsonText } from "./use-json-text";

const CodeEditor = part(() => import("./code-editor").then((module) => module.default));

interface TextFieldProps {
  label: string;
  schema?: Schema | undefined;
  readOnly?: boolean;
  description?: string;
  /** The problems found by the manager. */
  problems?: readonly EditorProblem[] | undefined;
}

export function JsonField<Value>(props: JsonTextSource<Value> & TextFieldProps) {
  return <JsonTextField {...props} json={useJsonText(props)} />;
}

/** The field for a text whose state is kept by the page around it. */
export function JsonTextField(props: TextFieldProps & { json: JsonText }) {
  const { json } = props;
  return (
    <Input.Wrapper label={props.label} description={props.description} labelElement="div" className="json-field">
      <PartBoundary failed={(error, onLoaded) => <LoadProblem what="The editor" error={error} onLoaded={onLoaded} />}>
        <Suspense fallback={<LoadingState />}>
          <CodeEditor
            label={props.label}
            text={json.text}
            onChange={json.setText}
            schema={props.schema}
            readOnly={props.readOnly ?? false}
            problems={props.problems}
          />
        </Suspense>
      </PartBoundary>
      <Text size="sm" c="var(--mantine-color-error)" role="status" mih="1.4em">
        {json.problem}
      </Text>
    </Input.Wrapper>
  );
}
