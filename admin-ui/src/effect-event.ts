/** `useEffectEvent` for every React 19: it came with 19.2, and the components that the library contains call it. */

import * as React from "react";

type Callback = (...values: never[]) => unknown;

// A copy, because bundlers complain about names that a module may lack.
const { useEffectEvent: ofReact } = { ...React } as { useEffectEvent?: typeof useLatest };

/** A function that stays the same and calls the newest callback. */
function useLatest<Called extends Callback>(callback: Called): Called {
  const newest = React.useRef(callback);
  React.useInsertionEffect(() => {
    newest.current = callback;
  });
  return React.useCallback(((...values) => newest.current(...values)) as Called, []);
}

export const useEffectEvent = ofReact ?? useLatest;
