/** The page for unknown addresses. */

import { Button } from "@mantine/core";
import { RouterLink } from "../ui/link";
import { PageBody, PageHead } from "../ui/page";
import { EmptyState } from "../ui/states/empty-state";

export function NotFound() {
  return (
    <PageBody>
      <PageHead title="Page not found" />
      <EmptyState
        title="No page at this address"
        button={
          <Button component={RouterLink} to="/" variant="default">
            Go to the dashboard
          </Button>
        }
      >
        The address may be misspelled, or the page was moved.
      </EmptyState>
    </PageBody>
  );
}
