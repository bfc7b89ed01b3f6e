/** The commands that a session says it takes: names alone, or objects with a name. */

import { isObject } from "../../ui/document/changes";

export function commandNames(commands: readonly unknown[]): string[] {
  return commands.map(nameOf).filter((name) => name !== "");
}

/** The commands that all of several sessions take; a session that names none is taken to take any. */
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
