/** What ends besides the sessions of a user who is signed out or receives a new password. */

/** What ends too. A thief of a session could have created the tokens and planned the work. */
export interface Ends {
  apiTokens: boolean;
  plannedWork: boolean;
}

/** The default for the own account, whose owner knows what belongs to it. */
export const NOTHING: Ends = { apiTokens: false, plannedWork: false };

/** The default for the accounts of others. */
export const EVERYTHING: Ends = { apiTokens: true, plannedWork: true };

/** Return the members of a request that sets a password. */
export function withPassword({ apiTokens, plannedWork }: Ends) {
  return { revokeApiTokens: apiTokens, stopPlannedWork: plannedWork };
}
