/** The page of one app's preferences for one user. */

import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { PreferenceView } from "../../api/generated/client";
import { SaveBar } from "../../ui/document/save-bar";
import { type DocumentSource, useDocument } from "../../ui/document/use-document";
import { JsonField } from "../../ui/json-editor/json-field";
import { EditFrame } from "../documents/edit-frame";
import { Reach } from "../documents/reach";

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
  const document = useDocument(usePreferenceSource(id));
  const [problem, setProblem] = useState<string | null>(null);
  const { view, draft } = document;
  const title = view ? `${view.app} for ${view.user}` : "Preference";
  return (
    <EditFrame
      kind="preferences"
      id={id}
      document={document}
      title={title}
      draftOf={(body) => ({ data: body.data })}
      removal={{
        what: `the preferences of ${view?.app} for ${view?.user}`,
        consequence: "The app uses its default values for this user.",
        remove: (reason) => client.call("deletePreference", { path: { preference_id: id }, reason }),
        comesBack: true,
      }}
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
          <SaveBar
            changes="preference"
            document={document}
            problem={problem}
            mayWrite={mayWrite}
            beside={<Reach kind="preferences" document={document} />}
          />
        </>
      )}
    </EditFrame>
  );
}

function usePreferenceSource(id: string): DocumentSource<PreferenceView, PreferenceDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["preferences", id],
      read: (signal) => client.call("readPreference", { path: { preference_id: id }, ...(signal ? { signal } : {}) }),
      write: (draft, etag, reason) =>
        client.call("replacePreference", {
          path: { preference_id: id },
          body: { data: draft.data },
          ifMatch: etag,
          reason,
        }),
      draftOf: (view) => ({ data: view.data }),
    }),
    [client, id],
  );
}
