/** The contents of a configuration file in two views of the same text: a form, and JSON. */

import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ConfigView } from "../../../api/generated/client";
import { isObject } from "../../../ui/document/changes";
import { JsonTextField } from "../../../ui/json-editor/json-field";
import type { EditorProblem } from "../../../ui/json-editor/problem-path";
import type { Schema } from "../../../ui/json-editor/schema/schema";
import { removeAt, setAt } from "../../../ui/json-editor/text-edit";
import { useJsonText } from "../../../ui/json-editor/use-json-text";
import { useAddressWord } from "../../../ui/list/address-word";
import { LoadingState } from "../../../ui/states/loading-state";
import type { Place } from "../scope";
import { useSettingsOf } from "./catalogue";
import type { SettingEdit } from "./setting-row";
import { SettingsForm } from "./settings-form";
import { useView, type View } from "./use-view";

type Contents = ConfigView["contents"];

interface ContentsViewsProps {
  file: string;
  /** The scope of the file; null if it is not selected yet. */
  place: Place | null;
  contents: Contents;
  onChange: (contents: Contents) => void;
  onProblem: (problem: string | null) => void;
  problems: readonly EditorProblem[] | undefined;
  schema: Schema | undefined;
  readOnly: boolean;
}

export function ContentsViews(props: ContentsViewsProps) {
  const { file, contents, onChange, onProblem, schema, readOnly } = props;
  const { scope, target } = props.place ?? { scope: null, target: "" };
  const place = useMemo(() => scope && { scope, target }, [scope, target]);
  const settings = useSettingsOf(file);
  const [textProblem, setTextProblem] = useState<string | null>(null);
  const [insideProblem, setInsideProblem] = useState<string | null>(null);
  const json = useJsonText({
    value: contents,
    onChange,
    onProblem: setTextProblem,
    accepts: isContents,
    expected: "an object or a list",
    exact: true,
  });
  const [chosen, setView] = useView();
  // Here instead of in the form: if users switch the view while the text is being stored, it must not be lost.
  const find = useAddressWord("find");
  const view: View = settings === null ? "json" : chosen;
  const problem = textProblem ?? insideProblem;
  useEffect(() => onProblem(problem), [onProblem, problem]);

  // The editor stays on the page after its first use, so that its undo history is kept.
  const hasEditor = useRef(false);
  if (view === "json") hasEditor.current = true;

  const edit = useEdit(json.text, json.setText, setInsideProblem);
  return (
    <Stack gap="sm">
      {settings && (
        <Group>
          <SegmentedControl
            aria-label="View"
            data={[
              { value: "form", label: "Form" },
              { value: "json", label: "JSON" },
            ]}
            value={view}
            onChange={(next) => setView(next === "json" ? "json" : "form")}
          />
        </Group>
      )}
      {view === "form" &&
        (settings === undefined ? (
          <LoadingState />
        ) : textProblem !== null || !isObject(contents) ? (
          <Alert color="orange" variant="light" title="The form cannot show this text">
            {textProblem ?? "The contents are a list."}{" "}
            <Button size="xs" variant="default" mt="xs" onClick={() => setView("json")}>
              Open the JSON view
            </Button>
          </Alert>
        ) : !place ? (
          <Text c="dimmed">Select a version, group or user first.</Text>
        ) : (
          settings && (
            <SettingsForm
              document={settings}
              file={file}
              place={place}
              contents={contents}
              problems={props.problems}
              schema={schema}
              readOnly={readOnly}
              edit={edit}
              find={find}
            />
          )
        ))}
      {hasEditor.current && (
        <div hidden={view !== "json"}>
          <JsonTextField
            label="Contents"
            json={json}
            schema={schema}
            readOnly={readOnly}
            problems={props.problems}
            {...(schema
              ? { description: "Press Ctrl+Space for suggestions. Point to a name to see its description." }
              : {})}
          />
        </div>
      )}
    </Stack>
  );
}

export function isContents(value: unknown): value is Contents {
  return Array.isArray(value) || isObject(value);
}

/** Edits of the current text; the functions stay the same, so that unchanged rows are not rendered again. */
function useEdit(
  text: string,
  setText: (text: string) => void,
  setProblem: (problem: string | null) => void,
): SettingEdit {
  const current = useRef({ text, setText });
  current.current = { text, setText };
  const change = useCallback((next: (text: string) => string) => {
    const changed = next(current.current.text);
    current.current.text = changed;
    current.current.setText(changed);
  }, []);
  const wrong = useRef(new Map<string, string>());
  return useMemo(
    () => ({
      set: (path, value) => change((before) => setAt(before, path, value)),
      remove: (path) => change((before) => removeAt(before, path)),
      onProblem: (path, problem) => {
        if (problem === null) wrong.current.delete(path);
        else wrong.current.set(path, problem);
        const [first] = wrong.current;
        setProblem(first ? `${first[0]}: ${first[1]}` : null);
      },
    }),
    [change, setProblem],
  );
}
