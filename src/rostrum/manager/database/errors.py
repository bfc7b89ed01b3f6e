"""What storage refuses.

StorageError
├── NotFound       no such document
│   └── NotKept    what it was then is not kept any more
├── Conflict       another document is in the way
├── Stale          the document changed since the caller read it
├── NoRoom         there is no room left to write to
└── Unavailable    the database does not answer
"""

import errno

from rostrum.base.errors import RostrumError

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class StorageError(RostrumError):
    """Storage cannot do what was asked."""


class NotFound(StorageError):
    """There is no such document."""

    def __init__(self, kind: str, key: str, hint: str | None = None) -> None:
        """Name what was looked for, and what may have been meant."""
        super().__init__(f"there is no {kind} {key!r}" + (f"; did you mean {hint}?" if hint else ""))
        self.kind = kind
        self.key = key


class NotKept(NotFound):
    """What a document was then is not kept any more."""

    def __init__(self, kind: str, key: str, revision: int, oldest: int) -> None:
        """Tell from where on it is kept."""
        super().__init__(kind, key)
        self.args = (
            f"what the {kind} {key!r} was at revision {revision} is not kept any more; "
            f"the oldest revision of it that is kept is {oldest}",
        )
        self.oldest = oldest


class Conflict(StorageError):
    """Another document is in the way."""


class Stale(StorageError):
    """The document changed since the caller read it."""

    def __init__(self, kind: str, key: str, revision: int) -> None:
        """Tell the revision that is there now."""
        super().__init__(f"the {kind} {key!r} has changed: it is at revision {revision} now; read it again")
        self.revision = revision


class NoRoom(StorageError):
    """There is no room left to write to: the disk or a quota is full; nothing was changed."""

    @staticmethod
    def is_cause(error: OSError) -> bool:
        """Say whether this is what the system refused."""
        return error.errno in _NO_ROOM


class Unavailable(StorageError):
    """The database does not answer."""
