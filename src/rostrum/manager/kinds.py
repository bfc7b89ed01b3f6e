"""Kinds: the names that the history, the audit and the events use, and one declaration for each kind of document."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

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
    API_TOKEN = "apiToken"  # noqa: S105 - the name of a kind
    PASSWORD_LINK = "passwordLink"  # noqa: S105 - the name of a kind
    SESSION = "session"
    MACHINE = "machine"
    COMMAND = "command"
    COMMAND_RUN = "commandRun"
    ROLLOUT = "rollout"
    CRASH = "crash"
    CRASH_GROUP = "crashGroup"
    FEEDBACK = "feedback"
    DIRECTORY = "directory"
    BATCH = "batch"
    PROPOSAL = "proposal"
    SAVED_VIEW = "savedView"
    HISTORY = "history"
    AUDIT = "audit"
    SERVER = "server"

    # Enumerations compute their hash in Python; the journal of a batch needs it several times for each document.
    __hash__ = str.__hash__

    @property
    def has_history(self) -> bool:
        """Return whether the history stores a revision for each change."""
        return self in DOCUMENT_KINDS


class RecordKind(Struct, frozen=True, kw_only=True):
    """A kind of record that administrators see in a list and that batches can change.

    Attributes:
        noun: The name in messages.
        nouns: The name of several records in messages.
        path: The address of its administration.
        operations: The name in operation IDs of the API, such as ``listAppRevisions``.
        read: The permission to read records of this kind, their history and their audit entries.
        write: The permission to change and roll back records of this kind.
        is_large: Whether a record can contain a text of many megabytes, so that few are loaded at once.

    """

    noun: str
    nouns: str = ""
    path: str
    operations: str
    read: Permission
    write: Permission
    is_large: bool = False

    @property
    def many(self) -> str:
        return self.nouns or f"{self.noun}s"


class DocumentKind(RecordKind, frozen=True, kw_only=True):
    """A kind of document: a record that administrators edit and that has revisions."""

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

RECORD_KINDS: Mapping[Kind, RecordKind] = {
    Kind.SESSION: RecordKind(
        noun="session",
        path="/admin/sessions",
        operations="Session",
        read=Permission.SESSIONS_READ,
        write=Permission.SESSIONS_WRITE,
    ),
    Kind.MACHINE: RecordKind(
        noun="machine",
        path="/admin/machines",
        operations="Machine",
        read=Permission.MACHINES_READ,
        write=Permission.MACHINES_WRITE,
    ),
    Kind.COMMAND: RecordKind(
        noun="command",
        path="/admin/commands",
        operations="Command",
        read=Permission.COMMANDS_READ,
        write=Permission.COMMANDS_WRITE,
    ),
    Kind.CRASH: RecordKind(
        noun="crash",
        nouns="crashes",
        path="/admin/crashes",
        operations="Crash",
        read=Permission.CRASHES_READ,
        write=Permission.CRASHES_WRITE,
    ),
    Kind.CRASH_GROUP: RecordKind(
        noun="crash group",
        path="/admin/crash-groups",
        operations="CrashGroup",
        read=Permission.CRASHES_READ,
        write=Permission.CRASHES_WRITE,
    ),
    Kind.FEEDBACK: RecordKind(
        noun="feedback report",
        path="/admin/feedback",
        operations="Feedback",
        read=Permission.FEEDBACKS_READ,
        write=Permission.FEEDBACKS_WRITE,
    ),
    Kind.DIRECTORY: RecordKind(
        noun="directory address",
        nouns="directory addresses",
        path="/admin/directories",
        operations="Directory",
        read=Permission.APPS_READ,
        write=Permission.APPS_WRITE,
    ),
    Kind.API_TOKEN: RecordKind(
        noun="API token",
        path="/admin/tokens",
        operations="Token",
        read=Permission.USERS_READ,
        write=Permission.USERS_WRITE,
    ),
}
"""Records without revisions that batches can end or delete."""

BATCH_KINDS: Mapping[Kind, RecordKind] = {**DOCUMENT_KINDS, **RECORD_KINDS}
"""All kinds that batches can change."""
