/** One configuration file of one scope. */

import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { ConfigView } from "../../api/generated/client";
import { SaveBar } from "../../ui/document/save-bar";
import { type DocumentSource, useDocument } from "../../ui/document/use-document";
import { EditFrame } from "../documents/edit-frame";
import { Reach } from "../documents/reach";
import { RolloutButton } from "../rollouts/rollout-button";
import { RolloutNotice } from "../rollouts/rollout-notice";
import { ConfigFrame } from "./config-frame";
import { ContentsViews } from "./form/contents-views";
import { useSchemaOf } from "./schemas";
import { placeOf, placeText } from "./scope";
import { useValidation } from "./use-validation";
import { ValidationNote } from "./validation-note";

type Contents = ConfigView["contents"];

/** Validation problems are shown in the form, and below the editor. */
const FIELDS = ["contents"];

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
  const validation = useValidation(view?.file ?? "", view ? placeOf(view) : null, draft?.contents, problem !== null);
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
        consequence: "Desktops then use the values of files with lower precedence.",
        remove: (reason) => client.call("deleteConfig", { path: { config_id: id }, reason }),
        comesBack: true,
      }}
    >
      <RolloutNotice kind="configs" id={id} />
      <ConfigFrame current={id}>
        {draft && (
          <>
            <ContentsViews
              file={view?.file ?? ""}
              place={view ? placeOf(view) : null}
              contents={draft.contents}
              onChange={(contents) => document.change({ contents })}
              onProblem={setProblem}
              problems={validation.problems}
              schema={schema}
              readOnly={!mayWrite}
            />
            <ValidationNote validation={validation} isSaved={!document.isDirty} />
            <SaveBar
              changes="config"
              document={document}
              problem={problem}
              mayWrite={mayWrite}
              fields={FIELDS}
              beside={
                <>
                  <Reach
                    kind="configs"
                    document={document}
                    proposal={({ contents }) => ({ action: "change", key: id, document: { contents } })}
                  />
                  {view?.scope !== "user" && (
                    <RolloutButton kind="configs" id={id} document={document} contentOf={(draft) => draft.contents} />
                  )}
                </>
              }
            />
          </>
        )}
      </ConfigFrame>
    </EditFrame>
  );
}

function useConfigSource(id: string): DocumentSource<ConfigView, ConfigDraft> {
  const client = useClient();
  return useMemo(
    () => ({
      queryKey: ["configs", id],
      read: (signal) =>
        client.call("readConfig", { path: { config_id: id }, exact: true, ...(signal ? { signal } : {}) }),
      write: (draft, etag, reason) =>
        client.call("changeConfig", {
          path: { config_id: id },
          body: { contents: draft.contents },
          ifMatch: etag,
          exact: true,
          reason,
        }),
      draftOf: (view) => ({ contents: view.contents }),
    }),
    [client, id],
  );
}
