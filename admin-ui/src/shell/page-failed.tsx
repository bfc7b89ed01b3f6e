/** Shown instead of a page that could not be rendered or loaded, with a retry button. */

import { PageBody, PageHead } from "../ui/page";
import { LoadProblem } from "../ui/parts/load-problem";
import { LoadFailed } from "../ui/parts/part";
import { ErrorState } from "../ui/states/error-state";

export function PageFailed({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <PageBody>
      <PageHead title="Page not available" />
      {error instanceof LoadFailed ? (
        <LoadProblem what="This page" error={error} onLoaded={reset} mayReload />
      ) : (
        <ErrorState error={error} onRetry={reset} />
      )}
    </PageBody>
  );
}
