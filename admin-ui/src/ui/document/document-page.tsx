/** The page of one document: loading, failed, deleted, or shown with the author of the last change. */

import type { ReactNode } from "react";
import { PageBody, PageHead } from "../page";
import { ErrorState } from "../states/error-state";
import { LoadingState } from "../states/loading-state";
import { Time } from "../time";
import type { EditedDocument } from "./use-document";

interface DocumentPageProps<View, Draft> {
  document: EditedDocument<View, Draft>;
  title: string;
  back: { to: string; label: string };
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function DocumentPage<View, Draft>({
  document,
  title,
  back,
  about,
  actions,
  children,
}: DocumentPageProps<View, Draft>) {
  const note = about ?? (document.view && <Stamp view={document.view} />);
  return (
    <PageBody>
      <PageHead title={title} back={back} about={note} actions={actions} />
      {document.loadError ? (
        <ErrorState error={document.loadError} onRetry={document.reload} />
      ) : document.isLoading ? (
        <LoadingState />
      ) : (
        children
      )}
    </PageBody>
  );
}

function Stamp({ view }: { view: unknown }) {
  const { modified, modifiedBy, revision } = view as { modified?: string; modifiedBy?: string; revision?: number };
  if (!modified) return null;
  return (
    <>
      Revision {revision}, changed <Time at={modified} /> by {modifiedBy}
    </>
  );
}
