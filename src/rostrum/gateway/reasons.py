"""Reasons of rejections and closed connections: a URI for programs, a text for people."""

from typing import NamedTuple


class Reason(NamedTuple):
    """The two parts of a reason; a peer may omit either of them."""

    uri: str | None
    text: str | None


class Refused(Exception):
    """A message was rejected; nothing was changed.

    Attributes:
        reason: The message for the sender.
        request_id: The request that the response is for, if it is another one.
        domain: The domain of the response, if it is not that of the message.
    """

    def __init__(self, uri: str, text: str, *, request_id: str | None = None, domain: str | None = None) -> None:
        super().__init__(text)
        self.reason = Reason(uri, text)
        self.request_id = request_id
        self.domain = domain


def failure(domain: str, text: str) -> Refused:
    """Create a rejection without a more specific URI."""
    return Refused(f"{domain}.errors.failure", text)
