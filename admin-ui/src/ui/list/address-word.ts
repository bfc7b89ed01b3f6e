/** Text that users enter in a page. It is stored in the address after a short pause, so that typing is not delayed. */

import { useDebouncedCallback } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type Search, useSetSearch } from "./list-search";

const PAUSE_MS = 250;
/** Represents a cleared text in the address, if there is a default text. */
const NONE = "any";

export interface TypedWord {
  /** The entered text. */
  readonly text: string;
  /** The text in the address. */
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

/** External changes replace the entered text; own changes do not, because the user may have typed more. */
export function useTypedWord(settled: string, onChange: (text: string) => void): TypedWord {
  const [text, setText] = useState(settled);
  const sent = useRef(settled);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onChange(next);
  }, PAUSE_MS);
  useEffect(() => {
    if (settled === sent.current) return;
    sent.current = settled;
    setText(settled);
  }, [settled]);
  const set = (next: string) => {
    setText(next);
    send(next);
  };
  return { text, settled, set };
}
