/** What one app keeps for one user. */

import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { PreferenceView } from "../../api/generated/client";
import { DeleteButton } from "../../ui/document/delete-button";
import { DocumentPage } from "../../ui/document/document-page";
import { SaveBar } from "../../ui/document/save-bar";
import { type DocumentSource, useDocument } from "../../ui/document/use-document";
import { useRemoval } from "../../ui/document/use-removal";
import { JsonField } from "../../ui/json-editor/json-field";
import { HistoryButton } from "../history/history-button";

interface PreferenceDraft {
  readonly data: unknown;
}

export function PreferencePage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OnePreference key={id} id={id} />;
}

function OnePreference({ id }: { id: string }) {
  const client = useClient();
  const mayWrite = useMay("PREFERENCES", "WRITE");
  const removal = useRemoval(["preferences"], "/preferences");
  const document = useDocument(usePreferenceSource(id));
  const [problem, setProblem] = useState<string | null>(null);
  const { view, draft } = document;
  return (
    <DocumentPage
      document={document}
      title={view ? `${view.app} for ${view.user}` : "Preference"}
      back={{ to: "/preferences", label: "Preferences" }}
      actions={
        view && (
          <>
            {draft && (
              <HistoryButton
                source={{
                  id,
                  list: "listPreferenceRevisions",
                  read: "readPreferenceRevision",
                  draftOf: (body) => ({ data: body.data }),
                }}
                current={draft}
                onUse={mayWrite ? document.change : undefined}
              />
            )}
            {mayWrite && (
              <DeleteButton
                what={`what ${view.app} keeps for ${view.user}`}
                consequence="The app begins anew for this person."
                onDelete={() => client.call("deletePreference", { path: { preference_id: id } })}
                onUndo={removal.refreshing(() =>
                  client.call("createPreference", { body: { user: view.user, app: view.app, data: view.data } }),
                )}
                onDeleted={removal.onDeleted}
              />
            )}
          </>
        )
      }
    >
      {draft && (
        <>
          <JsonField
            label="Data"
            value={draft.data}
            onChange={(data) => document.change({ data })}
            onProblem={setProblem}
            readOnly={!mayWrite}
          />
          <SaveBar document={document} problem={problem} mayWrite={mayWrite} />
        </>
      )}
    </DocumentPage>
  );
}

function usePreferenceSource(id: string): DocumentSource<PreferenceView, PreferenceDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["preferences", id],
      read: (signal) => client.call("readPreference", { path: { preference_id: id }, ...(signal ? { signal } : {}) }),
      write: (draft, etag) =>
        client.call("replacePreference", { path: { preference_id: id }, body: { data: draft.data }, ifMatch: etag }),
      draftOf: (view) => ({ data: view.data }),
    }),
    [client, id],
  );
}
