/** “Roll out in stages…” next to “Save”: gives an edited document to some users first. */

import { Button } from "@mantine/core";
import { useState } from "react";
import type { EditedDocument } from "../../ui/document/use-document";
import type { StagedKind } from "./kinds";
import { useOpenRollout } from "./rollout-notice";
import { StartDialog } from "./start-dialog";

interface RolloutButtonProps<View, Draft> {
  kind: StagedKind;
  id: string;
  document: EditedDocument<View, Draft>;
  /** The part of the document that is rolled out. */
  contentOf: (draft: Draft) => unknown;
}

export function RolloutButton<View extends { revision: number }, Draft>(props: RolloutButtonProps<View, Draft>) {
  const { kind, id, document, contentOf } = props;
  const [isOpen, setOpen] = useState(false);
  const rollout = useOpenRollout(kind, id);
  const { view, draft } = document;
  if (rollout || !view || draft === undefined || !document.isDirty) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Roll out in stages…
      </Button>
      {isOpen && (
        <StartDialog
          kind={kind}
          id={id}
          content={contentOf(draft)}
          revision={view.revision}
          onClose={() => setOpen(false)}
          onStarted={document.reset}
        />
      )}
    </>
  );
}
