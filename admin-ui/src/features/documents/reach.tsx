/** Shown beside the save button: affected users while a change is entered, and receipts after it was saved. */

import type { Proposal } from "../../api/generated/client";
import type { EditedDocument } from "../../ui/document/use-document";
import { ChangeEffect } from "../previews/change-effect";
import { WhoHasIt } from "../receipts/who-has-it";
import { KINDS, type Kind, type PreviewedKind, type ReceivedKind } from "./kinds";

interface ReachProps<View, Draft> {
  kind: Kind;
  document: EditedDocument<View, Draft>;
  /** The write of a save. */
  proposal?: (draft: Draft) => Proposal;
}

export function Reach<View, Draft>({ kind, document, proposal }: ReachProps<View, Draft>) {
  const { draft } = document;
  if (document.isDirty) {
    if (draft === undefined || !proposal || !isPreviewed(kind)) return null;
    return <ChangeEffect kind={kind} subject={draft} proposals={() => [proposal(draft)]} />;
  }
  const revision = (document.view as { revision?: number } | undefined)?.revision;
  return revision !== undefined && isReceived(kind) ? <WhoHasIt kind={kind} revision={revision} /> : null;
}

export const isPreviewed = (kind: Kind): kind is PreviewedKind => KINDS[kind].preview !== null;
const isReceived = (kind: Kind): kind is ReceivedKind => KINDS[kind].receipts !== null;
