"""Caches callers by their credentials, until content changes that the result depends on."""

import hashlib
import secrets
from collections import OrderedDict

from msgspec import Struct

from rostrum.manager.auth.caller import Caller
from rostrum.manager.content_versions import ContentTopic, ContentVersions

_TOPICS = (ContentTopic.PEOPLE, ContentTopic.LOGINS, ContentTopic.CONFIGS, ContentTopic.ROLLOUTS)
"""The topics that a cached caller depends on: groups and rights, revocations, own configuration, roll-outs."""


class CachedCaller(Struct, frozen=True):
    """A cached caller.

    Attributes:
        mark: The content version at which the caller was read.
        proof: Data with which the sign-in method checks that the sign-in has not expired.

    """

    caller: Caller
    mark: int
    proof: bytes | None


class CredentialCache:
    """A bounded cache from credentials to callers. It contains keyed digests, never credentials."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._secret = secrets.token_bytes(32)
        self._entries: OrderedDict[bytes, CachedCaller] = OrderedDict()

    def key(self, authorization: str | None, cookie: str | None) -> bytes:
        """Return the keyed digest of credentials, the key of the cache."""
        # The header takes precedence over the cookie, as in the check.
        text = f"h{authorization}" if authorization is not None else f"c{cookie}"
        return hashlib.sha256(self._secret + text.encode(errors="surrogatepass")).digest()

    def find(self, key: bytes, marks: ContentVersions) -> CachedCaller | None:
        """Return the caller with these credentials, if nothing has changed since they were checked."""
        known = self._entries.get(key)
        if known is None:
            return None
        if known.mark < marks.of(_TOPICS):
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return known

    def remember(self, key: bytes, caller: Caller, marks: ContentVersions, proof: bytes | None) -> None:
        """Store the caller with these credentials; the content versions were read before the caller."""
        self._entries[key] = CachedCaller(caller, marks.of(_TOPICS), proof)
        self._entries.move_to_end(key)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)

    def forget(self, key: bytes) -> None:
        """Remove a caller whose credentials have expired."""
        self._entries.pop(key, None)

    def __len__(self) -> int:
        return len(self._entries)
