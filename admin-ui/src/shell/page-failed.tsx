/** A page that could not be drawn or loaded: says so and offers to try again, instead of a blank screen. */

import { PageBody } from "../ui/page";
import { ErrorState } from "../ui/states/error-state";

export function PageFailed({ error, reset }: { error: unknown; reset: () => void }) {
  // A new version of the server has new files: only the whole page knows their names.
  const isOldPage = error instanceof TypeError && /import|module|fetch/i.test(error.message);
  return (
    <PageBody>
      <ErrorState
        error={
          isOldPage
            ? new Error("This page could not be loaded. The server may have been updated or may be unavailable.")
            : error
        }
        onRetry={isOldPage ? () => window.location.reload() : reset}
      />
    </PageBody>
  );
}
