/** System configuration: what desktops are told to do, for everyone, versions, groups and users. */

import { PageBody, PageHead } from "../../ui/page";
import { RollBackAll } from "../history/roll-back-all";
import { ConfigFrame } from "./config-frame";
import { MergedView } from "./merged-view";

export function ConfigsPage() {
  return (
    <PageBody>
      <PageHead
        title="System configuration"
        about="Files are merged weakest first: everyone, versions, groups by priority, the user. Objects join key by key; lists and single values are replaced whole."
        actions={<RollBackAll kind="configs" />}
      />
      <ConfigFrame>
        <MergedView />
      </ConfigFrame>
    </PageBody>
  );
}
