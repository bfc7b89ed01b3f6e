/** A choice from a list whose options are created when the input has the focus for the first time. */

import { Select, type SelectProps } from "@mantine/core";
import { useEffect, useState } from "react";

/** After the options are created, the input is rendered again: then it refers to them. */
type Stage = "none" | "created" | "complete";

export function SelectInput({ onFocus, comboboxProps, ...props }: SelectProps) {
  const [stage, setStage] = useState<Stage>("none");
  useEffect(() => {
    if (stage === "created") setStage("complete");
  }, [stage]);
  return (
    <Select
      {...props}
      comboboxProps={{ ...comboboxProps, keepMounted: stage !== "none" }}
      onFocus={(event) => {
        if (stage === "none") setStage("created");
        onFocus?.(event);
      }}
    />
  );
}
