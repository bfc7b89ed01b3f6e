"""Reads and checks the reason for a change."""

from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from pydantic import ValidationError

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.reasons import GivenReason
from rostrum.contracts.validation_messages import problems_of
from rostrum.manager.changes.origin import NO_REASON, Reason

HEADERS = {b"change-comment": "comment", b"change-ticket": "ticket"}
"""The headers with the reason. They work for every operation, including those without a body."""

_LONGEST = 12 * 256
"""The longest value of a header: each character can take four bytes, each written with three characters."""


def checked_reason(comment: str, ticket: str) -> Reason:
    """Return a valid reason, or raise an error with the problems."""
    try:
        given = GivenReason(comment=comment.strip(" "), ticket=ticket.strip(" "))
    except ValidationError as error:
        raise Invalid("the reason for the change is invalid", problems_of(error)) from None
    return Reason(comment=given.comment, ticket=given.ticket)


def reason_in(headers: Iterable[tuple[bytes, bytes]]) -> Reason:
    """Read the reason from the headers of a request: percent-encoded UTF-8, because headers are ASCII."""
    given: dict[str, str] = {}
    for header, value in headers:
        name = HEADERS.get(header)
        if name is not None:
            if name in given:
                raise _wrong(header, "must be sent once")
            given[name] = _decoded(header, value)
    return checked_reason(given.get("comment", ""), given.get("ticket", "")) if given else NO_REASON


def _decoded(header: bytes, value: bytes) -> str:
    if len(value) > _LONGEST:
        raise _wrong(header, "is too long")
    try:
        return unquote_to_bytes(value).decode()
    except UnicodeDecodeError:
        raise _wrong(header, "must be percent-encoded UTF-8") from None


def _wrong(header: bytes, message: str) -> Invalid:
    return Invalid("the reason for the change is invalid", [Problem(path=header.decode(), message=message)])
