"""The routes whose responses are cached, and what each response depends on."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from rostrum.manager.access.permissions import Permission
from rostrum.manager.apps.shared import APPS_TOPICS
from rostrum.manager.auth.caller import Caller
from rostrum.manager.configs.routes import QUESTION_HEADERS
from rostrum.manager.content_versions import ContentTopic


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


LAYOUTS_TOPICS = (ContentTopic.LAYOUTS, ContentTopic.PEOPLE)

_APPS = CacheableRoute(topics=APPS_TOPICS, is_shared=True)
_LAYOUTS = CacheableRoute(topics=LAYOUTS_TOPICS)
_PREFERENCES = CacheableRoute(topics=(ContentTopic.PREFERENCES, ContentTopic.PEOPLE), may_ask=True)
_CONFIG = CacheableRoute(
    topics=(ContentTopic.CONFIGS, ContentTopic.PEOPLE),
    is_shared=True,
    may_ask=True,
    methods=frozenset({"GET", "HEAD", "POST"}),
    headers=(b"content-type", *(name.encode() for name in QUESTION_HEADERS)),
    right_for_user=Permission.SYSTEM_CONFIGS_READ,
)

_ME = CacheableRoute(topics=(ContentTopic.PEOPLE,))
_POLL = CacheableRoute(
    topics=(ContentTopic.APPS, ContentTopic.LAYOUTS, ContentTopic.PEOPLE),
    may_ask=True,
    methods=frozenset({"POST"}),
    headers=(b"content-type",),
    is_platform=True,
    is_contact=True,
)

HOT_READS: Mapping[str, CacheableRoute] = {
    "/apps": _APPS,
    "/v2/apps": _APPS,
    "/layouts": _LAYOUTS,
    "/layouts/layouts": _LAYOUTS,
    "/layouts/default": _LAYOUTS,
    "/layouts/layouts/default": _LAYOUTS,
    "/default": _LAYOUTS,
    "/prefs": _PREFERENCES,
    "/prefs/all": _PREFERENCES,
    "/systemConfig/get": _CONFIG,
    "/me": _ME,
    "/whoami": _ME,
    "/user": _POLL,
    "/user/apps": replace(_APPS, is_platform=True),
    "/user/layouts": replace(_LAYOUTS, is_platform=True),
}
"""The cached routes, by path below the base path."""
