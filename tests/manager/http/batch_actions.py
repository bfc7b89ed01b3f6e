"""The action that deletes, ends or revokes, for each kind that batches can change, by its name in operation IDs."""

REMOVALS = {
    "App": "delete",
    "Layout": "delete",
    "Preference": "delete",
    "Config": "delete",
    "User": "delete",
    "Group": "delete",
    "Session": "end",
    "Machine": "delete",
    "Command": "delete",
    "Crash": "delete",
    "CrashGroup": "resolve",
    "Feedback": "delete",
    "Directory": "revoke",
    "Token": "revoke",
}
