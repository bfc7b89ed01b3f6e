/** The page that imports definitions of one kind. */

import { useQueryClient } from "@tanstack/react-query";
import type { Reason } from "../../api/client";
import type { ImportView } from "../../api/generated/client";
import { PageBody, PageHead } from "../../ui/page";
import { KINDS, type PreviewedKind } from "../documents/kinds";
import { ChangeEffect } from "../previews/change-effect";
import { type ImportRequest, ImportWizard } from "./import-wizard";

/** Maximum number of writes in a preview. */
const MOST_PREVIEWED = 1000;

interface ImportPageProps {
  kind: PreviewedKind;
  /** The imported kind, such as `applications`. */
  things: string;
  about: string;
  send: (request: ImportRequest, reason: Reason) => Promise<ImportView>;
}

export function ImportPage({ kind, things, about, send }: ImportPageProps) {
  const queries = useQueryClient();
  return (
    <PageBody>
      <PageHead title={`Import ${things}`} back={{ to: `/${kind}`, label: KINDS[kind].label }} about={about} />
      <ImportWizard
        things={things}
        kind={KINDS[kind].document}
        listPath={`/${kind}`}
        onImport={async (request, reason) => {
          const done = await send(request, reason);
          void queries.invalidateQueries({ queryKey: [kind] });
          return done;
        }}
        effect={({ definitions, access, overwrite }) =>
          // The import itself determines which documents would be replaced.
          !overwrite &&
          definitions.length <= MOST_PREVIEWED && (
            <ChangeEffect
              kind={kind}
              subject={definitions}
              proposals={() =>
                definitions.map((definition) => ({
                  action: "create",
                  document: { definition, public: access.public, accessList: access.accessList },
                }))
              }
            />
          )
        }
      />
    </PageBody>
  );
}
