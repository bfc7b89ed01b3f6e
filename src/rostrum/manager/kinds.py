"""Kind and Action: what things are called in the history and in the audit, and what happens to them."""

from enum import StrEnum


class Action(StrEnum):
    """What happened to a thing."""

    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"
    EXPORTED = "exported"
    IMPORTED = "imported"


class Kind(StrEnum):
    """A kind of thing that operations change."""

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
    CRASH = "crash"
    FEEDBACK = "feedback"
    DIRECTORY = "directory"
    HISTORY = "history"
    AUDIT = "audit"
    SERVER = "server"

    @property
    def has_history(self) -> bool:
        """Say whether each of its changes is kept as a revision."""
        return self in _DOCUMENTS


_DOCUMENTS = frozenset({Kind.APP, Kind.LAYOUT, Kind.PREFERENCE, Kind.CONFIG, Kind.USER, Kind.GROUP})
