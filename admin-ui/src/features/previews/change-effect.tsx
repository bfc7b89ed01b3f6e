/** Shows the effect of a change and the affected users before it is saved. */

import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useContext, useEffect } from "react";
import { detailsOf, isCorrectable, messageOf } from "../../api/errors";
import { Dialog } from "../../ui/dialog";
import { RefusalContext, type Refusals } from "../../ui/document/field-errors";
import type { PreviewedKind } from "../documents/kinds";
import { effectSentence, failing, isHarmless } from "./effect-sentence";
import { PreviewResult } from "./preview-result";
import { type Finding, type Proposals, usePreview } from "./use-preview";

interface ChangeEffectProps {
  kind: PreviewedKind;
  /** The value that the proposals are derived from. A different value starts a new preview. */
  subject: unknown;
  /** The proposed writes. */
  proposals: Proposals;
}

export function ChangeEffect({ kind, subject, proposals }: ChangeEffectProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const { finding, ask } = usePreview(kind, subject, proposals);
  const form = useContext(RefusalContext);
  const refused = finding.phase === "failed" && isCorrectable(finding.error) ? finding.error : null;
  const report = form?.report;
  useEffect(() => {
    report?.(refused);
    return () => report?.(null);
  }, [report, refused]);
  return (
    <Group gap="xs" wrap="nowrap" className="reach">
      <Text size="sm" component="div" role="status" aria-label="Effect" className="breaks" c={colourOf(finding)}>
        {wordsOf(finding, form)}
      </Text>
      {finding.phase === "large" && (
        <Button size="compact-sm" variant="default" onClick={ask}>
          Show affected users
        </Button>
      )}
      {finding.phase === "found" && !isHarmless(finding.preview) && (
        <>
          <Button size="compact-sm" variant="default" onClick={dialog.open}>
            Show details
          </Button>
          <Dialog opened={isOpen} onClose={dialog.close} title="Effect of this change" size="xl">
            <PreviewResult kind={kind} preview={finding.preview} proposals={proposals} />
          </Dialog>
        </>
      )}
    </Group>
  );
}

/** The effect, as far as known. */
export function wordsOf(finding: Finding, form: Refusals | null): string {
  switch (finding.phase) {
    case "finding":
      return `Calculating affected users…${finding.share === null ? "" : ` ${Math.floor(finding.share * 100)} %`}`;
    case "large":
      return `${finding.users.toLocaleString()} users.`;
    case "found":
      return effectSentence(finding.preview);
    case "failed":
      return refusalWords(finding.error, form);
  }
}

/** Only errors that the user can correct. Other components report connection and permission errors. */
function refusalWords(error: unknown, form: Refusals | null): string {
  if (!isCorrectable(error)) return "";
  if (form) return form.words(error) ?? "";
  const first = detailsOf(error)[0];
  return `Cannot save: ${messageOf(error)}${first ? ` ${first.message}` : ""}`;
}

export function colourOf(finding: Finding): string {
  if (finding.phase === "failed") return "var(--mantine-color-error)";
  if (finding.phase !== "found" || finding.preview.affected === 0) return "dimmed";
  return failing(finding.preview) > 0 ? "var(--mantine-color-error)" : "";
}
