/** An address without a page. */

import { Button } from "@mantine/core";
import { RouterLink } from "../ui/link";
import { PageBody, PageHead } from "../ui/page";
import { EmptyState } from "../ui/states/empty-state";

export function NotFound() {
  return (
    <PageBody>
      <PageHead title="There is no such page" />
      <EmptyState
        title="Nothing is here"
        button={
          <Button component={RouterLink} to="/" variant="default">
            To the dashboard
          </Button>
        }
      >
        The address may be misspelt, or the page has moved.
      </EmptyState>
    </PageBody>
  );
}
