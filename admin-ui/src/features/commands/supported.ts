/** The commands that a session supports: names, or objects with a name. */

import { isObject } from "../../ui/document/changes";

export function commandNames(commands: readonly unknown[]): string[] {
  return commands.map(nameOf).filter((name) => name !== "");
}

/** The commands that all given sessions support; a session without a list is assumed to support all. */
export function commonCommands(sessions: readonly { commands: readonly unknown[] }[]): string[] {
  const lists = sessions.map((session) => commandNames(session.commands)).filter((names) => names.length > 0);
  const [first = [], ...others] = lists;
  return first.filter((name) => others.every((names) => names.includes(name)));
}

function nameOf(command: unknown): string {
  if (typeof command === "string") return command;
  if (!isObject(command)) return "";
  const name = command.type ?? command.name;
  return typeof name === "string" ? name : "";
}
