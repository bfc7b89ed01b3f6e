/** Tells before saving what a change would do, and to whom. */

import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import type { Proposal } from "../../api/generated/client";
import { Icon } from "../../ui/icons";
import { QueryState } from "../../ui/states/query-state";
import { PreviewResult } from "./preview-result";

const OPERATIONS = {
  apps: "previewApps",
  layouts: "previewLayouts",
  configs: "previewConfigs",
  users: "previewUsers",
  groups: "previewGroups",
} as const;

interface PreviewButtonProps {
  kind: keyof typeof OPERATIONS;
  /** The write that would be made. */
  proposal: Proposal;
  disabled: boolean;
}

export function PreviewButton({ kind, proposal, disabled }: PreviewButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="eye" size={16} />} disabled={disabled} onClick={dialog.open}>
        What would this change?
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="What this would change" size="xl">
        {isOpen && <Preview kind={kind} proposal={proposal} />}
      </Modal>
    </>
  );
}

function Preview({ kind, proposal }: Pick<PreviewButtonProps, "kind" | "proposal">) {
  const client = useClient();
  const found = useQuery({
    queryKey: ["preview", kind, proposal],
    queryFn: async ({ signal }) =>
      (await client.call(OPERATIONS[kind], { body: { changes: [proposal] }, signal })).data,
    staleTime: 0,
    gcTime: 0,
  });
  return <QueryState query={found}>{(preview) => <PreviewResult preview={preview} />}</QueryState>;
}
