"""Where the manager keeps its data; nothing of SQL shows outside this package."""

from rostrum.manager.storage.errors import Conflict, NotFound, Stale, StorageError, Unavailable
from rostrum.manager.storage.query import Page, Query
from rostrum.manager.storage.records import (
    App,
    AppAccess,
    Command,
    ConfigFile,
    Crash,
    Feedback,
    Group,
    Layout,
    LayoutAccess,
    Login,
    Machine,
    Preference,
    Scope,
    Session,
    Stamp,
    StoredFile,
    User,
)
from rostrum.manager.storage.storage import Storage, Work

__all__ = [
    "App",
    "AppAccess",
    "Command",
    "ConfigFile",
    "Conflict",
    "Crash",
    "Feedback",
    "Group",
    "Layout",
    "LayoutAccess",
    "Login",
    "Machine",
    "NotFound",
    "Page",
    "Preference",
    "Query",
    "Scope",
    "Session",
    "Stale",
    "Stamp",
    "Storage",
    "StorageError",
    "StoredFile",
    "Unavailable",
    "User",
    "Work",
]
