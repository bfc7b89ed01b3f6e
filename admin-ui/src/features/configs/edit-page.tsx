/** One configuration file of one scope. */

import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { ConfigView } from "../../api/generated/client";
import { isObject } from "../../ui/document/changes";
import { SaveBar } from "../../ui/document/save-bar";
import { type DocumentSource, useDocument } from "../../ui/document/use-document";
import { JsonField } from "../../ui/json-editor/json-field";
import { EditFrame } from "../documents/edit-frame";
import { Reach } from "../documents/reach";
import { CatalogueNotes } from "./catalogue-notes";
import { ConfigFrame } from "./config-frame";
import { useSchemaOf } from "./schemas";
import { placeOf, placeText } from "./scope";

type Contents = ConfigView["contents"];

interface ConfigDraft {
  readonly contents: Contents;
}

export function ConfigPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  return <OneConfig key={id} id={id} />;
}

function OneConfig({ id }: { id: string }) {
  const client = useClient();
  const mayWrite = useMay("SYSTEM_CONFIGS", "WRITE");
  const document = useDocument(useConfigSource(id));
  const [problem, setProblem] = useState<string | null>(null);
  const { view, draft } = document;
  const schema = useSchemaOf(view?.file ?? "");
  const title = view ? `${view.file} for ${placeText(placeOf(view))}` : "Configuration file";
  return (
    <EditFrame
      kind="configs"
      id={id}
      document={document}
      title={title}
      draftOf={(body) => ({ contents: body.contents as Contents })}
      removal={{
        what: title,
        consequence: "Desktops go on with what weaker files say.",
        remove: () => client.call("deleteConfig", { path: { config_id: id } }),
        comesBack: true,
      }}
    >
      <ConfigFrame current={id}>
        {draft && (
          <>
            <JsonField
              label="Contents"
              value={draft.contents}
              accepts={isContents}
              expected="an object or a list"
              onChange={(contents) => document.change({ contents })}
              onProblem={setProblem}
              schema={schema}
              readOnly={!mayWrite}
              {...(schema ? { description: "Ctrl+Space completes; point at a name to read what it does." } : {})}
            />
            {view && <CatalogueNotes view={view} />}
            <SaveBar
              document={document}
              problem={problem}
              mayWrite={mayWrite}
              beside={
                <Reach
                  kind="configs"
                  document={document}
                  proposal={({ contents }) => ({ action: "change", key: id, document: { contents } })}
                />
              }
            />
          </>
        )}
      </ConfigFrame>
    </EditFrame>
  );
}

export function isContents(value: unknown): value is Contents {
  return Array.isArray(value) || isObject(value);
}

function useConfigSource(id: string): DocumentSource<ConfigView, ConfigDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["configs", id],
      read: (signal) => client.call("readConfig", { path: { config_id: id }, ...(signal ? { signal } : {}) }),
      write: (draft, etag) =>
        client.call("changeConfig", { path: { config_id: id }, body: { contents: draft.contents }, ifMatch: etag }),
      draftOf: (view) => ({ contents: view.contents }),
    }),
    [client, id],
  );
}
