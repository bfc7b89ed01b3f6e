/** The access to a document, as data and as a sentence. */

export interface Access {
  readonly public: boolean;
  readonly accessList: readonly string[];
  readonly disabled: boolean;
}

/** The access in one sentence. */
export function accessSentence(access: Access): string {
  if (access.disabled) return "Disabled: not available to any user.";
  if (access.public) return "Available to all users.";
  if (access.accessList.length === 0) return "Available only to users it is assigned to directly.";
  return `Available to members of ${access.accessList.join(", ")}, and to users it is assigned to directly.`;
}
