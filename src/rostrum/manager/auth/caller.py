"""The credentials of a request, and the authenticated caller."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from rostrum.manager.access.identity import Identity
from rostrum.manager.auth.tokens import Claims
from rostrum.manager.content_versions import ContentTopic


class Method(StrEnum):
    """The method with which a caller was authenticated."""

    PASSWORD = "password"  # noqa: S105 - the name of a method
    COOKIE = "cookie"
    BEARER = "bearer"
    TOKEN = "token"  # noqa: S105 - the name of a method


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The credentials of a request."""

    authorization: str | None = field(default=None, repr=False)
    cookie: str | None = field(default=None, repr=False)
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a signed-in user presents to confirm the own identity; each sign-in method checks what it knows."""

    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The authenticated caller of a request.

    Attributes:
        personal: Topics with content that is available to this user, but not to others in the same groups.
        candidates: The roll-outs whose new version this user receives.

    """

    identity: Identity
    method: Method
    epoch: int
    claims: Claims | None = None
    personal: frozenset[ContentTopic] = frozenset()
    candidates: frozenset[str] = frozenset()

    def audience(self, topics: Iterable[ContentTopic]) -> Hashable:
        """Return a key for callers that receive equal responses for these topics: the same groups, or one user.

        During a roll-out, users of the same groups can receive different versions of a document.
        """
        groups = self.identity.groups
        if not self.personal.isdisjoint(topics):
            return groups, self.identity.user, self.candidates
        return (groups, self.candidates) if self.candidates else groups
