"""Kinds: the names that the history, the audit and the events use, and one declaration for each kind of document."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rostrum.manager.access.permissions import Permission


class Action(StrEnum):
    """An action that the history and the audit record."""

    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"
    EXPORTED = "exported"
    IMPORTED = "imported"


class Kind(StrEnum):
    """The kind of an object that the audit records changes of."""

    APP = "app"
    LAYOUT = "layout"
    PREFERENCE = "preference"
    CONFIG = "config"
    USER = "user"
    GROUP = "group"
    DEFAULT_LAYOUT = "defaultLayout"
    LOGIN = "login"
    SESSION = "session"
    MACHINE = "machine"
    COMMAND = "command"
    COMMAND_RUN = "commandRun"
    CRASH = "crash"
    FEEDBACK = "feedback"
    DIRECTORY = "directory"
    BATCH = "batch"
    HISTORY = "history"
    AUDIT = "audit"
    SERVER = "server"

    @property
    def has_history(self) -> bool:
        """Return whether the history stores a revision for each change."""
        return self in DOCUMENT_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentKind:
    """A kind of document: an object that administrators edit and that has revisions.

    Attributes:
        noun: The name in messages.
        path: The address of its administration.
        operations: The name in operation IDs of the API, such as ``listAppRevisions``.
        read: The permission to read documents of this kind, their history and their audit entries.
        write: The permission to change and roll back documents of this kind.
        is_large: Whether a document can contain a text of many megabytes, so that few are loaded at once.

    """

    noun: str
    path: str
    operations: str
    read: Permission
    write: Permission
    is_large: bool = True


DOCUMENT_KINDS: Mapping[Kind, DocumentKind] = {
    Kind.APP: DocumentKind(
        noun="app",
        path="/admin/apps",
        operations="App",
        read=Permission.APPS_READ,
        write=Permission.APPS_WRITE,
    ),
    Kind.LAYOUT: DocumentKind(
        noun="layout",
        path="/admin/layouts",
        operations="Layout",
        read=Permission.LAYOUTS_READ,
        write=Permission.LAYOUTS_WRITE,
    ),
    Kind.PREFERENCE: DocumentKind(
        noun="preference",
        path="/admin/prefs",
        operations="Preference",
        read=Permission.PREFERENCES_READ,
        write=Permission.PREFERENCES_WRITE,
    ),
    Kind.CONFIG: DocumentKind(
        noun="configuration file",
        path="/admin/configs",
        operations="Config",
        read=Permission.SYSTEM_CONFIGS_READ,
        write=Permission.SYSTEM_CONFIGS_WRITE,
    ),
    Kind.USER: DocumentKind(
        noun="user",
        path="/admin/users",
        operations="User",
        read=Permission.USERS_READ,
        write=Permission.USERS_WRITE,
        is_large=False,
    ),
    Kind.GROUP: DocumentKind(
        noun="group",
        path="/admin/groups",
        operations="Group",
        read=Permission.GROUPS_READ,
        write=Permission.GROUPS_WRITE,
        is_large=False,
    ),
}
"""The registry. Storage, history, audit, integrity checks and the API read the facts about a kind here."""
