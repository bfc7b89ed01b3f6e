/** The page of one layout. */

import { useParams } from "@tanstack/react-router";
import { useClient, useMay } from "../../api/context";
import { ExportButton } from "../../ui/document/export-button";
import { useDocument } from "../../ui/document/use-document";
import { EditFrame } from "../documents/edit-frame";
import { Reach } from "../documents/reach";
import { RolloutButton } from "../rollouts/rollout-button";
import { RolloutNotice } from "../rollouts/rollout-notice";
import { LayoutEditor } from "./layout-editor";
import { bodyOf, draftOfBody, useLayoutSource } from "./queries";

export function LayoutPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneLayout key={id} id={id} />;
}

function OneLayout({ id }: { id: string }) {
  const client = useClient();
  const mayWrite = useMay("LAYOUTS", "WRITE");
  const document = useDocument(useLayoutSource(id));
  const { view } = document;
  const name = view?.name ?? "Layout";
  return (
    <EditFrame
      kind="layouts"
      id={id}
      document={document}
      title={name}
      draftOf={draftOfBody}
      removal={{
        what: `the layout ${name}`,
        consequence: "Users of this layout start with their default layout instead.",
        remove: (reason) => client.call("deleteLayout", { path: { layout_id: id }, reason }),
        comesBack: true,
      }}
      actions={<ExportButton name={name} definition={view?.definition} />}
    >
      <RolloutNotice kind="layouts" id={id} />
      <LayoutEditor
        document={document}
        mayWrite={mayWrite}
        beside={
          <>
            <Reach
              kind="layouts"
              document={document}
              proposal={(draft) => ({ action: "replace", key: id, document: { ...bodyOf(draft) } })}
            />
            {view?.owner === "*" && (
              <RolloutButton kind="layouts" id={id} document={document} contentOf={(draft) => draft.definition} />
            )}
          </>
        }
      />
    </EditFrame>
  );
}
