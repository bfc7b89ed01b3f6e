/** The state of one side of a comparison: now, at a time, or at a revision. */

import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { TypedWord } from "../../ui/list/address-word";
import { SelectInput } from "../../ui/select-input";

type Moment = "now" | "time" | "revision";

const MOMENTS = [
  { value: "now", label: "Now" },
  { value: "time", label: "At a time" },
  { value: "revision", label: "At a revision" },
];

interface MomentInputProps {
  side: "First" | "Second";
  /** A time in UTC or the number of a revision, as in the address; empty for now. */
  at: TypedWord;
  width: number;
}

export function MomentInput({ side, at, width }: MomentInputProps) {
  const [chosen, setChosen] = useState<Moment>("now");
  const moment = at.text === "" ? chosen : momentOf(at.text);
  const choose = (next: Moment) => {
    setChosen(next);
    if (next !== moment) at.set("");
  };
  return (
    <>
      <SelectInput
        label={`${side} state`}
        data={MOMENTS}
        value={moment}
        onChange={(value) => value && choose(value as Moment)}
        allowDeselect={false}
        w={width}
      />
      {moment === "time" && (
        <TextInput
          type="datetime-local"
          label={`Time of the ${side.toLowerCase()} state`}
          description="In your time zone."
          value={localTime(at.text)}
          onChange={(event) => {
            setChosen("time");
            at.set(utcTime(event.currentTarget.value));
          }}
          w={width}
        />
      )}
      {moment === "revision" && (
        <TextInput
          inputMode="numeric"
          label={`Revision of the ${side.toLowerCase()} state`}
          description="The number of a revision, as in the history."
          value={at.text}
          onChange={(event) => {
            setChosen("revision");
            at.set(event.currentTarget.value.replace(/\D/g, "").slice(0, 15));
          }}
          w={width}
        />
      )}
    </>
  );
}

export function momentOf(text: string): Moment {
  if (text === "") return "now";
  return /^\d+$/.test(text) ? "revision" : "time";
}

/** A time of the address as the value of the field, in the time zone of the user. */
export function localTime(text: string): string {
  const time = new Date(text);
  if (text === "" || Number.isNaN(time.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const seconds = time.getSeconds() ? `:${two(time.getSeconds())}` : "";
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}${seconds}`;
}

/** The value of the field as a time in UTC; empty while it is incomplete. */
export function utcTime(value: string): string {
  const time = new Date(value);
  return value === "" || Number.isNaN(time.getTime()) ? "" : time.toISOString().replace(".000Z", "Z");
}
