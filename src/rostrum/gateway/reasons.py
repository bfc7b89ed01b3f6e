"""Why something was refused or ended: an address for programs, a text for people."""

from typing import NamedTuple


class Reason(NamedTuple):
    """Both halves of a reason, either of which may be missing in what a peer sent."""

    uri: str | None
    text: str | None


class Refused(Exception):
    """A message is not carried out; nothing was changed.

    Attributes:
        reason: The message for the sender.
        request_id: The request the answer is for, when it is not the one that was sent.
        domain: The domain in which the sender waits, when it is not the one of the message.

    """

    def __init__(self, uri: str, text: str, *, request_id: str | None = None, domain: str | None = None) -> None:
        super().__init__(text)
        self.reason = Reason(uri, text)
        self.request_id = request_id
        self.domain = domain


def failure(domain: str, text: str) -> Refused:
    """Make the refusal for which a domain has no better address."""
    return Refused(f"{domain}.errors.failure", text)
