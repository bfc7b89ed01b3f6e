/** The effect of a change inside a dialog: the affected users, with their names. */

import { Button, Paper, ScrollArea, Stack, Text, Title } from "@mantine/core";
import { messageOf } from "../../api/errors";
import type { PreviewedKind } from "../documents/kinds";
import { colourOf, wordsOf } from "./change-effect";
import { isHarmless } from "./effect-sentence";
import { Outcomes } from "./preview-result";
import { type Proposals, usePreview } from "./use-preview";

interface EffectPanelProps {
  kind: PreviewedKind;
  /** The value that the proposals are derived from. A different value starts a new preview. */
  subject: string;
  proposals: Proposals;
}

export function EffectPanel({ kind, subject, proposals }: EffectPanelProps) {
  const { finding, ask } = usePreview(kind, subject, proposals);
  const words =
    finding.phase === "failed" ? `The effect is unknown. ${messageOf(finding.error)}` : wordsOf(finding, null);
  return (
    <Paper withBorder p="sm" component="section" aria-label="Effect on users">
      <Title order={3} size="h6" mb={4}>
        Effect on users
      </Title>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" component="div" role="status" aria-label="Effect" className="breaks" c={colourOf(finding)}>
          {words}
        </Text>
        {finding.phase === "large" && (
          <Button size="compact-sm" variant="default" onClick={ask}>
            Show affected users
          </Button>
        )}
        {finding.phase === "found" && !isHarmless(finding.preview) && (
          <ScrollArea.Autosize mah={260} w="100%" type="auto" viewportProps={{ tabIndex: 0, "aria-label": "Details" }}>
            <Stack gap="xs">
              <Outcomes kind={kind} preview={finding.preview} proposals={proposals} />
            </Stack>
          </ScrollArea.Autosize>
        )}
      </Stack>
    </Paper>
  );
}
