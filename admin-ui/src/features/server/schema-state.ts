/** The state of the tables of the database, for administrators. */

import type { ServerView } from "../../api/generated/client";

/** Describe the tables. A server runs with those of a newer version only if this version can use them. */
export function schemaState({ migration, newestMigration }: ServerView["database"]): {
  isFine: boolean;
  words: string;
} {
  if (migration === newestMigration) {
    return { isFine: true, words: "up to date" };
  }
  if (migration !== null && migration > newestMigration) {
    return { isFine: true, words: `at migration ${migration} of a newer version` };
  }
  return { isFine: false, words: `at migration ${migration ?? "unknown"}, outdated` };
}
