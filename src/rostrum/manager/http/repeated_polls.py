"""Recognizes polls that are identical to an earlier poll, as most polls are."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from rostrum.manager.auth.credential_cache import CachedCaller
from rostrum.manager.content_versions import ContentVersions
from rostrum.manager.http.asgi import Scope

_BETWEEN = b"\n"
"""Separates the parts; it cannot occur in a method, an address or a header."""


class RepeatedPoll(NamedTuple):
    """A poll and its response. It is valid until the content changes or the sign-in of the caller ends.

    Attributes:
        marks: The content versions at the time of the poll.
        known: The caller.
        response_key: The key of the response in the cache. The body is stored only there.
        mark: The content version of the response.
        held: The entity tag in the request, if it identifies the same content with another text.
        is_packed: Whether the body is compressed.

    """

    marks: ContentVersions
    known: CachedCaller
    response_key: Hashable
    mark: int
    status: int
    held: bytes
    is_packed: bool


class RepeatedPolls:
    """A bounded cache from polls to their responses. It contains keyed digests, never credentials."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._secret = secrets.token_bytes(32)
        self._polls: OrderedDict[bytes, RepeatedPoll] = OrderedDict()

    def key(self, scope: Scope) -> bytes:
        """Return the key of a poll: a keyed digest of everything that the response depends on."""
        parts = [part for header in scope["headers"] for part in header]
        start = f"{scope['scheme']} {scope['method']} {scope['path']}".encode()
        text = _BETWEEN.join([start, scope.get("raw_path", b""), scope["query_string"], *parts])
        return hashlib.blake2b(text, digest_size=32, key=self._secret).digest()

    def find(self, key: bytes, marks: ContentVersions) -> RepeatedPoll | None:
        """Return the earlier identical poll, if no content has changed since."""
        poll = self._polls.get(key)
        # The versions are the same object until something changes, so they need not be compared by value.
        return poll if poll is not None and poll.marks is marks else None

    def remember(self, key: bytes, poll: RepeatedPoll) -> None:
        """Store a poll."""
        self._polls[key] = poll
        self._polls.move_to_end(key)
        while len(self._polls) > self._most:
            self._polls.popitem(last=False)

    def __len__(self) -> int:
        return len(self._polls)
