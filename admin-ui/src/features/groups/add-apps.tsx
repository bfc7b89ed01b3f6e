/** Adds apps to a group: chosen by name, with the affected users, in one batch. */

import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient, useMay } from "../../api/context";
import type { Proposal } from "../../api/generated/client";
import { BlockedButton } from "../../ui/blocked-button";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { pathOf } from "../../ui/link";
import { NamesInput } from "../../ui/names-input";
import { showDone } from "../../ui/notices";
import { useAppNames } from "../apps/app-names";
import { BatchForm } from "../batches/batch-form";
import { actionOf, counted } from "../batches/kinds";
import { EffectPanel } from "../previews/effect-panel";

export function AddAppsButton({ group }: { group: string }) {
  const mayWrite = useMay("APPS", "WRITE");
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <BlockedButton
        leftSection={<Icon name="plus" size={16} />}
        blocked={mayWrite ? null : "Requires the permission to change apps."}
        onClick={dialog.open}
      >
        Add apps…
      </BlockedButton>
      {isOpen && <AddAppsDialog group={group} onClose={dialog.close} />}
    </>
  );
}

function AddAppsDialog({ group, onClose }: { group: string; onClose: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  const names = useAppNames();
  const [apps, setApps] = useState<readonly string[]>([]);
  const grant = actionOf("apps", "grant");
  if (!grant) return null;
  const proposals = (): Promise<Proposal[]> =>
    Promise.all(
      apps.map(async (app) => {
        const { data } = await client.call("readApp", { path: { app_name: app } });
        const document = { accessList: [...new Set([...data.accessList, group])] };
        return { action: "change", key: app, document };
      }),
    );
  return (
    <Dialog opened onClose={onClose} title={`Add apps to ${group}`} size="lg" centered>
      <BatchForm
        kind="apps"
        action={grant}
        names={[group]}
        targets={apps.length > 0 ? { ids: [...apps] } : null}
        inputs={
          <NamesInput
            label="Apps"
            description="Type part of the name, and select an app."
            value={apps}
            onChange={setApps}
            suggestions={{ ...names, unknown: "refuse" }}
          />
        }
        submit={apps.length > 0 ? `Add ${counted("apps", apps.length)}` : "Add apps"}
        effect={<EffectPanel kind="apps" subject={apps.join("\n")} proposals={proposals} />}
        onClose={onClose}
        onStarted={(batch) => {
          onClose();
          if (batch.status !== "done" || batch.refused > 0) void navigate({ to: pathOf("batches", "apps", batch.id) });
          else showDone(`Added ${counted("apps", batch.done)} to ${group}.`);
        }}
      />
    </Dialog>
  );
}
