/** Validates the text in the editor on the manager, after a pause; nothing is written. */

import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useClient } from "../../api/context";
import type { ConfigValidation, ConfigView } from "../../api/generated/client";
import type { EditorProblem } from "../../ui/json-editor/problem-path";
import { type Place, placeBody } from "./scope";

const PAUSE_MS = 400;

export interface Validation {
  readonly problems: readonly EditorProblem[] | undefined;
  /** The text that the problems refer to: the current one, an earlier one, or none because the validation failed. */
  readonly state: "current" | "outdated" | "unknown";
}

interface Validated {
  readonly contents: unknown;
  readonly result: ConfigValidation | null;
}

/** Validate contents of a file; `hasInvalidText` means that the text in the editor is not JSON. */
export function useValidation(
  file: string,
  place: Place | null,
  contents: ConfigView["contents"] | undefined,
  hasInvalidText: boolean,
): Validation {
  const client = useClient();
  const [validated, setValidated] = useState<Validated | null>(null);
  const ask = useEffectEvent((signal: AbortSignal) => {
    if (contents === undefined || !place) return Promise.resolve(null);
    return client.call("validateConfig", { body: { file, contents, ...placeBody(place) }, signal });
  });
  const scope = place && `${place.scope} ${place.target}`;
  useEffect(() => {
    if (contents === undefined || file === "" || scope === null) return;
    const stop = new AbortController();
    const show = (result: ConfigValidation | null) => !stop.signal.aborted && setValidated({ contents, result });
    const begin = () =>
      ask(stop.signal).then(
        (answer) => show(answer?.data ?? null),
        () => show(null),
      );
    const timer = setTimeout(() => void begin(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [file, scope, contents]);
  const { result } = validated ?? {};
  const isCurrent = validated !== null && validated.contents === contents && !hasInvalidText;
  const problems = useMemo(() => (result?.checked ? result.problems.map(asEditorProblem) : undefined), [result]);
  return {
    problems,
    state: !isCurrent ? "outdated" : result ? "current" : "unknown",
  };
}

function asEditorProblem({ path, message, severity, suggestion }: ConfigValidation["problems"][number]): EditorProblem {
  return { path, severity, message: suggestion ? `${message} Did you mean ${suggestion}?` : message };
}
