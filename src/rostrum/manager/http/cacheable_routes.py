"""Routes whose responses are cached: what each response depends on. The topics declare them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from rostrum.manager.access.permissions import Permission
from rostrum.manager.auth.caller import Caller
from rostrum.manager.content_versions import APPS_TOPICS, LAYOUTS_TOPICS, ContentTopic


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheableRoute:
    """One address.

    Attributes:
        topics: The content that the response depends on.
        is_shared: Whether users of the same groups receive the same response, unless they have own content.
        may_ask: Whether a query, a body or headers select the response.
        headers: The headers that select the response.
        right_for_user: The right with which the header ``user`` asks on behalf of another user; without it, the header
            only names the account of a machine.
        is_platform: Whether it belongs to the protocol of browser platforms, which has credentials of its own.
        is_contact: Whether a request counts as contact of the caller's client session.

    """

    topics: tuple[ContentTopic, ...]
    is_shared: bool = False
    may_ask: bool = False
    methods: frozenset[str] = frozenset({"GET", "HEAD"})
    headers: tuple[bytes, ...] = ()
    right_for_user: Permission | None = None
    is_platform: bool = False
    is_contact: bool = False

    def audience(self, caller: Caller, question: bytes, headers: Mapping[bytes, bytes]) -> Hashable:
        """Return the key of the callers that receive the same response."""
        identity = caller.identity
        if self.right_for_user is not None and b"user" in headers and self.right_for_user in identity.permissions:
            return identity.groups, identity.user, headers[b"user"]
        if self.is_shared and not _may_name_a_user(question):
            return caller.audience(self.topics)
        return identity.groups, identity.user


def _may_name_a_user(question: bytes) -> bool:
    # The word can be hidden by escape sequences.
    return bool(question) and any(sign in question for sign in (b"user", b"\\", b"%"))


APPS_READ = CacheableRoute(topics=APPS_TOPICS, is_shared=True)
LAYOUTS_READ = CacheableRoute(topics=LAYOUTS_TOPICS)
