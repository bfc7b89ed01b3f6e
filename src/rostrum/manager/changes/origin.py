"""RequestOrigin and ChangeContext: the operation, address, user, time and reason of a change."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class Reason(Struct, frozen=True, kw_only=True):
    """The reason that the author of a change gave; both texts are optional."""

    comment: str = ""
    ticket: str = ""

    def members(self) -> dict[str, str]:
        """Return the texts that were given, by name."""
        given = {"comment": self.comment, "ticket": self.ticket}
        return {name: text for name, text in given.items() if text}


NO_REASON = Reason()


class Unconfirmed(StrEnum):
    """Why the identity of a caller does not count as confirmed."""

    SESSION = "session"
    """The request has only a session cookie or token: the caller can confirm the identity."""
    TOKEN = "token"  # noqa: S105 - the name of a credential
    """The request has an API token: programs cannot confirm an identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOrigin:
    """Where a change comes from.

    Attributes:
        operation: ID of the HTTP operation, or the command, or the occasion (such as ``start``).
        address: The caller's address; for commands the account and machine they ran on.
        request: ID of the request, the same as in the log.
        agent: What the client calls itself.
        reason: The reason for the change.
        is_administration: Whether the rules for changes by administrators apply, such as a required comment.
        token: The name and the ID of the API token, if the request has one.
        can_propose: Whether a change that requires approval becomes a proposal. Commands on the server do not require
            approval.
        unconfirmed: Why the request may not create credentials or give rights; ``None`` if it may.

    """

    operation: str = ""
    address: str = ""
    request: str = ""
    agent: str = ""
    reason: Reason = NO_REASON
    is_administration: bool = False
    token: str = ""
    can_propose: bool = False
    unconfirmed: Unconfirmed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchContext:
    """The batch that changes are a part of, and the reason that its author gave."""

    id: str
    comment: str = ""
    ticket: str = ""

    @property
    def reason(self) -> Reason:
        return Reason(comment=self.comment, ticket=self.ticket)


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """The proposal that a change comes from, its author, and the administrator who approved it."""

    proposal: str
    author: str
    approver: str
    comment: str = ""


class ChangeContext(Struct, frozen=True, kw_only=True):
    """The context of one transaction that changed data.

    Attributes:
        revision: The revision that it created; ``None`` if it changed no document.
        batch: The batch that it is a part of.
        reason: The reason that the author gave.
        approval: The approval by a second administrator, if the change required one.

    """

    revision: int | None
    at: datetime
    actor: str
    origin: RequestOrigin
    batch: BatchContext | None = None
    reason: Reason = NO_REASON
    approval: Approval | None = None


_origin: ContextVar[RequestOrigin | None] = ContextVar("origin", default=None)
_UNKNOWN = RequestOrigin()


def current_origin() -> RequestOrigin:
    """Return where the running code was called from."""
    return _origin.get() or _UNKNOWN


@contextmanager
def acting(origin: RequestOrigin) -> Iterator[None]:
    """Use this origin for all changes inside the block."""
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)
