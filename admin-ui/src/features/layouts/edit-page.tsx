/** One layout. */

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
import { LayoutEditor } from "./layout-editor";
import { bodyOf, draftOfBody, useLayoutSource } from "./queries";

export function LayoutPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneLayout key={id} id={id} />;
}

function OneLayout({ id }: { id: string }) {
  const client = useClient();
  const removal = useRemoval(["layouts"], "/layouts");
  const mayWrite = useMay("LAYOUTS", "WRITE");
  const source = useLayoutSource(id);
  const document = useDocument(source);
  const view = document.view;
  return (
    <DocumentPage
      document={document}
      title={view?.name ?? "Layout"}
      back={{ to: "/layouts", label: "Layouts" }}
      actions={
        view && (
          <>
            <Button
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              onClick={() => saveAs(new Blob([JSON.stringify(view.definition, null, 2)]), `${view.name}.json`)}
            >
              Export
            </Button>
            {document.draft && (
              <HistoryButton
                source={{ id, list: "listLayoutRevisions", read: "readLayoutRevision", draftOf: draftOfBody }}
                current={document.draft}
                onUse={mayWrite ? document.change : undefined}
              />
            )}
            {mayWrite && (
              <DeleteButton
                what={`the layout ${view.name}`}
                consequence="Those who use it fall back to their default layout."
                onDelete={() => client.call("deleteLayout", { path: { layout_id: id } })}
                onUndo={removal.refreshing(() => client.call("createLayout", { body: bodyOf(source.draftOf(view)) }))}
                onDeleted={removal.onDeleted}
              />
            )}
          </>
        )
      }
    >
      <LayoutEditor
        document={document}
        mayWrite={mayWrite}
        extra={
          document.draft && (
            <PreviewButton
              kind="layouts"
              proposal={{ action: "replace", key: id, document: { ...bodyOf(document.draft) } }}
              disabled={!document.isDirty}
            />
          )
        }
      />
    </DocumentPage>
  );
}
