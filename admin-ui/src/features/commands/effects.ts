/** Descriptions of commands, one sentence each. */

/** Read-only commands, which are sent without a confirmation. */
const READING = new Set(["GetLogs", "GetSupportedCommands", "GetSystemInfo"]);

const EFFECTS: Readonly<Record<string, string>> = {
  ChangeFetchInterval: "The desktop changes how often it asks the manager for changes.",
  ExecuteCode: "The desktop executes the given code with the rights of its user.",
  Refresh: "The desktop fetches its apps and settings again.",
  RefreshApps: "The desktop fetches its apps again.",
  Restart: "The desktop closes all apps and starts again. Unsaved work in the apps can be lost.",
  RestartApps: "The desktop closes the apps and starts them again. Unsaved work in them can be lost.",
  RestoreLayout:
    "The desktop replaces its open windows with those of the layout. Unsaved work in the apps can be lost.",
  SendFeedback: "The desktop sends a feedback report with its logs to the manager.",
  Shutdown:
    "The desktop closes all apps and exits; its user has to start it again. Unsaved work in the apps can be lost.",
  StartApps: "The desktop starts apps, and their windows appear on the user's screen.",
  StopApps: "The desktop closes apps. Unsaved work in them can be lost.",
};

export function needsConfirmation(command: string): boolean {
  return !READING.has(command);
}

export function effectOf(command: string): string {
  return EFFECTS[command] ?? "The manager does not know this command: its effect depends on the desktop.";
}
