/** Words that are typed into a page and kept in its address: after a pause, so that typing is never held up. */

import { useDebouncedCallback } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type Search, useSetSearch } from "./list-search";

const PAUSE_MS = 250;
/** Stands in the address for a word that was emptied where one is there by itself. */
const NONE = "any";

export interface TypedWord {
  /** What is typed. */
  readonly text: string;
  /** What counts. */
  readonly settled: string;
  readonly set: (text: string) => void;
}

export function useAddressWord(name: string, initial = ""): TypedWord {
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const given = search[name] ?? initial;
  const settled = given === NONE ? "" : given;
  return useTypedWord(settled, (next) => setSearch({ [name]: next === initial ? "" : next || NONE, row: "" }));
}

/** What comes from elsewhere replaces what is typed; what comes back from here does not, as more may be typed by then. */
export function useTypedWord(settled: string, onChange: (text: string) => void): TypedWord {
  const [text, setText] = useState(settled);
  const told = useRef(settled);
  const tell = useDebouncedCallback((next: string) => {
    told.current = next;
    onChange(next);
  }, PAUSE_MS);
  useEffect(() => {
    if (settled === told.current) return;
    told.current = settled;
    setText(settled);
  }, [settled]);
  const set = (next: string) => {
    setText(next);
    tell(next);
  };
  return { text, settled, set };
}
