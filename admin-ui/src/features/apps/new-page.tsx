/** The page for a new application. */

import { useNavigate } from "@tanstack/react-router";
import { useClient } from "../../api/context";
import { useNewDocument } from "../../ui/document/use-new-document";
import { pathOf } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { Reach } from "../documents/reach";
import { type AppDraft, AppEditor } from "./app-editor";
import { emptyDefinition } from "./definition";
import { bodyOf } from "./queries";

const EMPTY: AppDraft = { definition: emptyDefinition, public: false, accessList: [], disabled: false };

export function NewAppPage() {
  const client = useClient();
  const navigate = useNavigate();
  const document = useNewDocument({
    queryKey: ["apps"],
    initial: EMPTY,
    create: async (draft, reason) => (await client.call("createApp", { body: bodyOf(draft), reason })).data,
    onCreated: (app) => void navigate({ to: pathOf("apps", app.name), ignoreBlocker: true }),
  });
  return (
    <PageBody>
      <PageHead
        title="New application"
        back={{ to: "/apps", label: "Applications" }}
        about="Fill in the form, or paste a definition as JSON."
      />
      <AppEditor
        document={document}
        mayWrite
        isNew
        beside={
          <Reach
            kind="apps"
            document={document}
            proposal={(draft) => ({ action: "create", document: { ...bodyOf(draft) } })}
          />
        }
      />
    </PageBody>
  );
}
