"""What a request brought along to prove who sent it, and who that is."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from rostrum.manager.access.identity import Identity
from rostrum.manager.auth.tokens import Claims
from rostrum.manager.content_versions import ContentTopic


class Method(StrEnum):
    """How a caller proved who they are."""

    PASSWORD = "password"  # noqa: S105 - the name of a method
    COOKIE = "cookie"
    BEARER = "bearer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What a request brought along."""

    authorization: str | None = field(default=None, repr=False)
    cookie: str | None = field(default=None, repr=False)
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A request whose credentials were good.

    Attributes:
        personal: Topics of which the user gets something that others of the same groups do not get.

    """

    identity: Identity
    method: Method
    epoch: int
    claims: Claims | None = None
    personal: frozenset[ContentTopic] = frozenset()

    def audience(self, topics: Iterable[ContentTopic]) -> Hashable:
        """Return a key of the callers who get the same answers about these topics: the same groups, or one user."""
        groups = self.identity.groups
        return groups if self.personal.isdisjoint(topics) else (groups, self.identity.user)
