/** Tells by itself, before anything is saved, what a change would do and to whom. */

import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { isForbidden, messageOf, Refused } from "../../api/errors";
import type { PreviewedKind } from "../documents/kinds";
import { effectSentence, failing, isHarmless } from "./effect-sentence";
import { PreviewResult } from "./preview-result";
import { type Finding, type Proposals, usePreview } from "./use-preview";

interface ChangeEffectProps {
  kind: PreviewedKind;
  /** What the proposals are made from: another one is another question. */
  subject: unknown;
  /** The writes that would be made. */
  proposals: Proposals;
}

export function ChangeEffect({ kind, subject, proposals }: ChangeEffectProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const { finding, ask } = usePreview(kind, subject, proposals);
  return (
    <Group gap="xs" wrap="nowrap" className="reach">
      <Text size="sm" component="div" role="status" aria-label="Effect" className="breaks" c={colourOf(finding)}>
        {wordsOf(finding)}
      </Text>
      {finding.phase === "large" && (
        <Button size="compact-sm" variant="default" onClick={ask}>
          Find out whom it touches
        </Button>
      )}
      {finding.phase === "found" && !isHarmless(finding.preview) && (
        <>
          <Button size="compact-sm" variant="default" onClick={dialog.open}>
            Show whom
          </Button>
          <Modal opened={isOpen} onClose={dialog.close} title="What this would change" size="xl">
            <PreviewResult kind={kind} preview={finding.preview} proposals={proposals} />
          </Modal>
        </>
      )}
    </Group>
  );
}

function wordsOf(finding: Finding): string {
  switch (finding.phase) {
    case "finding":
      return `Finding out whom this touches…${finding.share === null ? "" : ` ${Math.floor(finding.share * 100)} %`}`;
    case "large":
      return `${finding.users.toLocaleString()} users.`;
    case "found":
      return effectSentence(finding.preview);
    case "failed":
      return refusalWords(finding.error);
  }
}

/** Only what the writer can mend: that the manager is away, or that this may not be asked, is said elsewhere. */
function refusalWords(error: unknown): string {
  if (!(error instanceof Refused) || isForbidden(error) || error.status === 401) return "";
  const first = error.details[0];
  const place = first ? ` ${first.path ? `${first.path}: ` : ""}${first.message}` : "";
  return `As it is, it would be refused: ${messageOf(error)}${place}`;
}

function colourOf(finding: Finding): string {
  if (finding.phase === "failed") return "var(--mantine-color-error)";
  if (finding.phase !== "found" || finding.preview.affected === 0) return "dimmed";
  return failing(finding.preview) > 0 ? "var(--mantine-color-error)" : "";
}
