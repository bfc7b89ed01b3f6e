/** The page of a document with a history: title, history, roll back, delete with undo, and the editor. */

import type { ReactNode } from "react";
import type { Reason } from "../../api/client";
import { useClient, useMay } from "../../api/context";
import { DeleteButton } from "../../ui/document/delete-button";
import { DocumentPage } from "../../ui/document/document-page";
import type { EditedDocument } from "../../ui/document/use-document";
import { useRemoval } from "../../ui/document/use-removal";
import { HistoryButton } from "../history/history-button";
import { ChangeEffect } from "../previews/change-effect";
import { KINDS, type Kind } from "./kinds";
import { isPreviewed } from "./reach";

interface EditFrameProps<View, Draft> {
  kind: Kind;
  id: string;
  document: EditedDocument<View, Draft>;
  title: string;
  /** The part of a stored body that the page edits. */
  draftOf: (body: Record<string, unknown>) => Draft;
  /** The deleted item, the consequence, and whether it can be restored completely. */
  removal: {
    what: string;
    consequence: string;
    remove: (reason: Reason) => Promise<unknown>;
    comesBack: boolean;
    blocked?: string | null;
  };
  /** Shown before and after the history button. */
  actions?: ReactNode;
  moreActions?: ReactNode;
  children: ReactNode;
}

const UNDO = "To undo this, select “Undo” afterwards, or later “Roll back” on the list.";

export function EditFrame<View extends { revision: number }, Draft>(props: EditFrameProps<View, Draft>) {
  const { kind, id, document, removal } = props;
  const client = useClient();
  const mayWrite = useMay(KINDS[kind].right, "WRITE");
  const gone = useRemoval([kind], `/${kind}`);
  const { view, draft } = document;
  const bringBack = async (reason: Reason) => {
    if (!view) return;
    const request = { path: { document_id: id }, body: { revision: view.revision }, reason };
    await client.call(KINDS[kind].rollBack, request);
  };
  return (
    <DocumentPage
      document={document}
      title={props.title}
      back={{ to: `/${kind}`, label: KINDS[kind].label }}
      actions={
        view && (
          <>
            {props.actions}
            {draft !== undefined && (
              <HistoryButton
                kind={kind}
                id={id}
                draftOf={props.draftOf}
                current={draft}
                onUse={mayWrite ? document.change : undefined}
              />
            )}
            {props.moreActions}
            {mayWrite && (
              <DeleteButton
                what={removal.what}
                consequence={
                  <>
                    {removal.consequence} {removal.comesBack && UNDO}
                    {isPreviewed(kind) && (
                      <ChangeEffect kind={kind} subject={id} proposals={() => [{ action: "delete", key: id }]} />
                    )}
                  </>
                }
                changes={KINDS[kind].document}
                onDelete={removal.remove}
                blocked={removal.blocked ?? null}
                {...(removal.comesBack ? { onUndo: gone.refreshing(bringBack) } : {})}
                onDeleted={gone.onDeleted}
              />
            )}
          </>
        )
      }
    >
      {props.children}
    </DocumentPage>
  );
}
