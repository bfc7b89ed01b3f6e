"""The errors of the manager; `http/errors.py` gives each its status.

RostrumError
├── Unauthenticated    no valid credentials; the reason is never stated
├── InvalidPlatformToken   the token of a browser platform is invalid or has expired
├── Forbidden          the caller lacks a permission
│   └── ConfirmationRequired   the caller must first confirm the own identity
├── TooManyAttempts    guessing is slowed down
├── QuotaExceeded      the caller has stored as much as allowed
├── UnsupportedMediaType   the body is of a type that the operation does not read
├── TooManyListeners   more event streams are open than allowed
├── Overloaded         too much work is waiting
├── Proposed           the change waits for the approval of a second administrator
└── StorageError
    ├── NotFound       no such document
    │   └── NotKept    the requested revision is no longer stored
    ├── Conflict       the change conflicts with the current state
    │   └── DuringRollout  the document is being rolled out in stages
    ├── Stale          the document changed since the caller read it
    ├── NoRoom         the disk or a quota is full
    └── Unavailable    the database does not respond
"""

import errno
from collections.abc import Mapping
from typing import Any, TypeVar

from rostrum.base.errors import RostrumError
from rostrum.base.problems import Problem
from rostrum.contracts.browser_platform import INVALID_TOKEN

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
Expected = frozenset[int] | None
"""The revisions that a writer expects; ``None`` accepts any."""
Document = TypeVar("Document")


class Unauthenticated(RostrumError):
    """No valid credentials; the message is the same for every cause."""

    def __init__(self) -> None:
        super().__init__("not authorized")


class InvalidPlatformToken(RostrumError):
    """The token of a browser platform's session is invalid. Its client understands only this message."""

    def __init__(self) -> None:
        super().__init__(INVALID_TOKEN)


class Forbidden(RostrumError):
    """The caller is known, but not allowed to do this."""


class Proposed(RostrumError):
    """The change was not made: it waits for the approval of a second administrator.

    Attributes:
        proposal: The ID of the stored proposal.
        details: The proposal as clients receive it.

    """

    def __init__(self, proposal: str, details: Mapping[str, Any]) -> None:
        super().__init__(
            f"The change was not made yet. It requires the approval of a second administrator (proposal {proposal})."
        )
        self.proposal = proposal
        self.details = details


class ConfirmationRequired(Forbidden):
    """The caller has a session, and must first confirm the own identity."""

    reason = "confirmation_required"

    def __init__(self) -> None:
        super().__init__(
            "This creates credentials, gives rights, transfers all data, runs code or continues later, so it requires "
            "your password again. Send it to POST /me/confirm, and repeat the request with the response in the header "
            "Confirmation. Or send the request with user ID and password."
        )


class QuotaExceeded(RostrumError):
    """The caller has stored as much as the settings allow; nothing was changed."""

    def __init__(self, name: str, *, limit: int, used: int, advice: str) -> None:
        super().__init__(
            f"quota exceeded: the setting quotas.{name} allows {limit} per user, and {used} are in use; {advice}, "
            "or ask an administrator to raise the limit"
        )
        self.name = name
        self.limit = limit
        self.used = used


class UnsupportedMediaType(RostrumError):
    """The body has a content type that the operation does not read."""


class TooManyListeners(RostrumError):
    """The maximum number of event streams is open."""

    retry_after = 30


class StorageError(RostrumError):
    """The storage cannot perform the operation."""

    problems: tuple[Problem, ...] = ()
    """Each problem with its place, if a request with several writes has several."""


class NotFound(StorageError):
    """The document does not exist."""

    def __init__(self, kind: str, key: str, hint: str | None = None) -> None:
        super().__init__(f"there is no {kind} {key!r}" + (f"; did you mean {hint}?" if hint else ""))
        self.kind = kind
        self.key = key


class NotKept(NotFound):
    """The requested revision of the document is no longer stored."""

    def __init__(self, kind: str, key: str, revision: int, oldest: int) -> None:
        super().__init__(kind, key)
        self.args = (
            f"revision {revision} of the {kind} {key!r} is no longer stored; "
            f"the oldest revision of it that is kept is {oldest}",
        )
        self.oldest = oldest


class Conflict(StorageError):
    """The change conflicts with another document."""


class DuringRollout(Conflict):
    """The document cannot be changed or deleted before its roll-out has ended."""

    def __init__(self, kind: str, key: str, rollout: str) -> None:
        super().__init__(
            f"the {kind} {key!r} is being rolled out in stages: finish or withdraw the roll-out {rollout} first. "
            "Until then, you can change who receives it, but not its content"
        )


class Stale(StorageError):
    """The document changed since the caller read it."""

    def __init__(self, kind: str, key: str, revision: int) -> None:
        super().__init__(f"the {kind} {key!r} has changed: it is at revision {revision} now; read it again")
        self.revision = revision


class NoRoom(StorageError):
    """The disk or a quota is full; nothing was changed."""

    @staticmethod
    def is_cause(error: OSError) -> bool:
        """Return whether the operating system reported a full disk or quota."""
        return error.errno in _NO_ROOM


class Unavailable(StorageError):
    """The database does not respond."""


def found(document: Document | None, kind: str, key: str) -> Document:
    if document is None:
        raise NotFound(kind, key)
    return document


def same_revision(expected: Expected, revision: int, kind: str, key: str) -> None:
    """Refuse to overwrite a document that has changed since it was read."""
    if expected is not None and revision not in expected:
        raise Stale(kind, key, revision)
