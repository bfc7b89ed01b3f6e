/** One application. */

import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { saveAs } from "../../api/client";
import { useClient, useMay } from "../../api/context";
import { DeleteButton } from "../../ui/document/delete-button";
import { DocumentPage } from "../../ui/document/document-page";
import { useDocument } from "../../ui/document/use-document";
import { useRemoval } from "../../ui/document/use-removal";
import { Icon } from "../../ui/icons";
import { HistoryButton } from "../history/history-button";
import { PreviewButton } from "../previews/preview-button";
import { AppEditor } from "./app-editor";
import { bodyOf, draftOfBody, useAppSource } from "./queries";
import { WhoSeesIt } from "./who-sees-it";

export function AppPage() {
  const { name = "" } = useParams({ strict: false }) as { name?: string };
  return <OneApp key={name} name={name} />;
}

function OneApp({ name }: { name: string }) {
  const client = useClient();
  const removal = useRemoval(["apps"], "/apps");
  const mayWrite = useMay("APPS", "WRITE");
  const source = useAppSource(name);
  const document = useDocument(source);
  const view = document.view;
  return (
    <DocumentPage
      document={document}
      title={name}
      back={{ to: "/apps", label: "Applications" }}
      actions={
        view && (
          <>
            <Button
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              onClick={() => saveAs(new Blob([JSON.stringify(view.definition, null, 2)]), `${name}.json`)}
            >
              Export
            </Button>
            {document.draft && (
              <HistoryButton
                source={{ id: name, list: "listAppRevisions", read: "readAppRevision", draftOf: draftOfBody }}
                current={document.draft}
                onUse={mayWrite ? document.change : undefined}
              />
            )}
            {mayWrite && (
              <DeleteButton
                what={`the app ${name}`}
                consequence="Nobody gets it any more. Layouts that hold it open without it."
                onDelete={() => client.call("deleteApp", { path: { app_name: name } })}
                onUndo={removal.refreshing(() => client.call("createApp", { body: bodyOf(source.draftOf(view)) }))}
                onDeleted={removal.onDeleted}
              />
            )}
          </>
        )
      }
    >
      <AppEditor
        document={document}
        mayWrite={mayWrite}
        isNew={false}
        extra={
          document.draft && (
            <PreviewButton
              kind="apps"
              proposal={{ action: "replace", key: name, document: { ...bodyOf(document.draft) } }}
              disabled={!document.isDirty}
            />
          )
        }
      />
      {view && <WhoSeesIt app={view} />}
    </DocumentPage>
  );
}
