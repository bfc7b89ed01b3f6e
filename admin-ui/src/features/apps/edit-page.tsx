/** The page of one application. */

import { useParams } from "@tanstack/react-router";
import { useClient, useMay } from "../../api/context";
import { ExportButton } from "../../ui/document/export-button";
import { useDocument } from "../../ui/document/use-document";
import { EditFrame } from "../documents/edit-frame";
import { Reach } from "../documents/reach";
import { RolloutButton } from "../rollouts/rollout-button";
import { RolloutNotice } from "../rollouts/rollout-notice";
import { AppEditor } from "./app-editor";
import { Availability } from "./availability";
import { bodyOf, draftOfBody, useAppSource } from "./queries";

export function AppPage() {
  const { name = "" } = useParams({ strict: false }) as { name?: string };
  return <OneApp key={name} name={name} />;
}

function OneApp({ name }: { name: string }) {
  const client = useClient();
  const mayWrite = useMay("APPS", "WRITE");
  const document = useDocument(useAppSource(name));
  const { view } = document;
  return (
    <EditFrame
      kind="apps"
      id={name}
      document={document}
      title={name}
      draftOf={draftOfBody}
      removal={{
        what: `the app ${name}`,
        consequence: "Users can no longer start the app. Layouts that contain it open without it.",
        remove: (reason) => client.call("deleteApp", { path: { app_name: name }, reason }),
        comesBack: true,
      }}
      actions={<ExportButton name={name} definition={view?.definition} />}
    >
      <RolloutNotice kind="apps" id={name} />
      <AppEditor
        document={document}
        mayWrite={mayWrite}
        isNew={false}
        beside={
          <>
            <Reach
              kind="apps"
              document={document}
              proposal={(draft) => ({ action: "replace", key: name, document: { ...bodyOf(draft) } })}
            />
            <RolloutButton kind="apps" id={name} document={document} contentOf={(draft) => draft.definition} />
          </>
        }
      />
      {view && <Availability app={view} />}
    </EditFrame>
  );
}
