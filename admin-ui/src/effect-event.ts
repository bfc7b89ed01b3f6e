/** `useEffectEvent` for every React 19: it was added in 19.2, and components in the library call it. */

import * as React from "react";

type Callback = (...values: never[]) => unknown;

// A copy, because bundlers report names that a module may not have.
const { useEffectEvent: ofReact } = { ...React } as { useEffectEvent?: typeof useLatest };

/** A stable function that calls the newest callback. */
function useLatest<Called extends Callback>(callback: Called): Called {
  const newest = React.useRef(callback);
  React.useInsertionEffect(() => {
    newest.current = callback;
  });
  return React.useCallback(((...values) => newest.current(...values)) as Called, []);
}

export const useEffectEvent = ofReact ?? useLatest;
