/** Previews a change while it is entered: after a pause, with progress, and only on request if there are many users. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useClient } from "../../api/context";
import { Unreachable } from "../../api/errors";
import type { PreviewRequest, PreviewView, Proposal } from "../../api/generated/client";
import { KINDS, type PreviewedKind } from "../documents/kinds";

export type Finding =
  | { readonly phase: "finding"; readonly share: number | null }
  /** There are so many users that the preview starts only on request. */
  | { readonly phase: "large"; readonly users: number }
  | { readonly phase: "found"; readonly preview: PreviewView }
  | { readonly phase: "failed"; readonly error: unknown };

/** The proposed writes; some require requests first. */
export type Proposals = () => Proposal[] | Promise<Proposal[]>;

interface Line {
  readonly progress?: { readonly done: number; readonly of: number };
  readonly result?: PreviewView;
}

const PAUSE_MS = 400;
const LARGE = 20_000;
const FIRM_SIZE = ["firm-size"];
const BEGUN: Finding = { phase: "finding", share: null };

/** The effect of the proposals, which is requested again when `subject` changes. */
export function usePreview(
  kind: PreviewedKind,
  subject: unknown,
  proposals: Proposals,
): { finding: Finding; ask: () => void } {
  const client = useClient();
  const queries = useQueryClient();
  const [finding, setFinding] = useState(BEGUN);
  const [asked, setAsked] = useState<unknown>(null);
  const changesNow = useEffectEvent(proposals);

  useEffect(() => {
    const stop = new AbortController();
    const isAsked = asked === subject;
    const show = (next: Finding) => !stop.signal.aborted && setFinding(next);

    const find = async () => {
      const known = queries.getQueryData<number>(FIRM_SIZE) ?? 0;
      if (known > LARGE && !isAsked) return show({ phase: "large", users: known });
      const request: PreviewRequest = { changes: await changesNow() };
      for await (const each of client.lines(KINDS[kind].preview, { body: request, signal: stop.signal })) {
        const { progress, result } = each as Line;
        if (result) return show({ phase: "found", preview: result });
        if (!progress) continue;
        queries.setQueryData(FIRM_SIZE, progress.of);
        if (progress.of > LARGE && !isAsked) {
          show({ phase: "large", users: progress.of });
          return stop.abort();
        }
        show({ phase: "finding", share: progress.of > 0 ? progress.done / progress.of : 1 });
      }
      throw new Unreachable();
    };

    setFinding(BEGUN);
    const begin = () => void find().catch((error: unknown) => show({ phase: "failed", error }));
    const timer = setTimeout(begin, isAsked ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [client, queries, kind, subject, asked]);

  return { finding, ask: () => setAsked(subject) };
}
