/** The kinds of documents that can be rolled out in stages, and the operations of each. */

import type { Resource } from "../../api/context";

export const STAGED = {
  apps: {
    label: "Applications",
    right: "APPS",
    list: "listAppRollouts",
    read: "readAppRollout",
    preview: "previewAppRollout",
    start: "startAppRollout",
    advance: "advanceAppRollout",
    halt: "haltAppRollout",
    resume: "resumeAppRollout",
    finish: "finishAppRollout",
    withdraw: "withdrawAppRollout",
  },
  layouts: {
    label: "Layouts",
    right: "LAYOUTS",
    list: "listLayoutRollouts",
    read: "readLayoutRollout",
    preview: "previewLayoutRollout",
    start: "startLayoutRollout",
    advance: "advanceLayoutRollout",
    halt: "haltLayoutRollout",
    resume: "resumeLayoutRollout",
    finish: "finishLayoutRollout",
    withdraw: "withdrawLayoutRollout",
  },
  configs: {
    label: "System configuration",
    right: "SYSTEM_CONFIGS",
    list: "listConfigRollouts",
    read: "readConfigRollout",
    preview: "previewConfigRollout",
    start: "startConfigRollout",
    advance: "advanceConfigRollout",
    halt: "haltConfigRollout",
    resume: "resumeConfigRollout",
    finish: "finishConfigRollout",
    withdraw: "withdrawConfigRollout",
  },
} as const satisfies Record<string, { right: Resource } & Record<string, string>>;

/** Also the first part of the query keys, which events of the manager invalidate. */
export type StagedKind = keyof typeof STAGED;

export const STAGED_KINDS = Object.keys(STAGED) as StagedKind[];
