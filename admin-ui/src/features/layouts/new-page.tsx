/** The page for a new layout. */

import { useNavigate } from "@tanstack/react-router";
import { useClient } from "../../api/context";
import { useNewDocument } from "../../ui/document/use-new-document";
import { pathOf } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { Reach } from "../documents/reach";
import { type LayoutDraft, LayoutEditor } from "./layout-editor";
import { bodyOf } from "./queries";

const EMPTY: LayoutDraft = {
  definition: { name: "", type: "Global", components: [] },
  owner: "*",
  public: false,
  accessList: [],
  default: false,
  disabled: false,
};

export function NewLayoutPage() {
  const client = useClient();
  const navigate = useNavigate();
  const document = useNewDocument({
    queryKey: ["layouts"],
    initial: EMPTY,
    create: async (draft, reason) => (await client.call("createLayout", { body: bodyOf(draft), reason })).data,
    onCreated: (layout) => void navigate({ to: pathOf("layouts", layout.id), ignoreBlocker: true }),
  });
  return (
    <PageBody>
      <PageHead
        title="New layout"
        back={{ to: "/layouts", label: "Layouts" }}
        about="Paste a definition as JSON. The preview shows the positions of its windows."
      />
      <LayoutEditor
        document={document}
        mayWrite
        beside={
          <Reach
            kind="layouts"
            document={document}
            proposal={(draft) => ({ action: "create", document: { ...bodyOf(draft) } })}
          />
        }
      />
    </PageBody>
  );
}
