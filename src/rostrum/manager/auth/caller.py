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
class Caller:
    """A request with valid credentials.

    Attributes:
        personal: Topics with content that is available to this user, but not to others in the same groups.

    """

    identity: Identity
    method: Method
    epoch: int
    claims: Claims | None = None
    personal: frozenset[ContentTopic] = frozenset()

    def audience(self, topics: Iterable[ContentTopic]) -> Hashable:
        """Return a key for callers that receive equal responses for these topics: the same groups, or one user."""
        groups = self.identity.groups
        return groups if self.personal.isdisjoint(topics) else (groups, self.identity.user)
