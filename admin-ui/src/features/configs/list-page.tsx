/** System configuration of desktops: files for all users, versions, groups and users. */

import { Button } from "@mantine/core";
import { RouterLink } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { RollBackAll } from "../history/roll-back-all";
import { ConfigFrame } from "./config-frame";
import { MergedView } from "./merged-view";

export function ConfigsPage() {
  return (
    <PageBody>
      <PageHead
        title="System configuration"
        about="Files are merged in order of precedence, lowest first: all users, versions, groups by priority, the user. Objects are merged key by key; lists and other values are replaced."
        actions={
          <>
            <Button component={RouterLink} to="/configs/-/files" variant="default">
              All files
            </Button>
            <RollBackAll kind="configs" />
          </>
        }
      />
      <ConfigFrame>
        <MergedView />
      </ConfigFrame>
    </PageBody>
  );
}
