/** Who gets a document, as data and in words. */

export interface Access {
  readonly public: boolean;
  readonly accessList: readonly string[];
  readonly disabled: boolean;
}

/** Who gets it, in one sentence. */
export function accessSentence(access: Access): string {
  if (access.disabled) return "Nobody gets it while it is disabled.";
  if (access.public) return "Everyone gets it.";
  if (access.accessList.length === 0) return "Only people to whom it is given by name get it.";
  return `Members of ${access.accessList.join(", ")} get it, and people to whom it is given by name.`;
}
