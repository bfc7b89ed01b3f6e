"""Authenticator: determines the caller from the credentials of a request, with any sign-in method."""

from collections.abc import Sequence
from typing import Protocol

from rostrum.manager.auth.caller import Caller, Credentials, Evidence, Method
from rostrum.manager.auth.credential_cache import CachedCaller, CredentialCache
from rostrum.manager.content_versions import ContentVersions, Revisions
from rostrum.manager.errors import Unauthenticated


class SignInMethod(Protocol):
    """One way to sign in, for example with a password or with a session.

    Attributes:
        names: The names of this method in callers.

    """

    names: frozenset[Method]

    def handles(self, credentials: Credentials) -> bool:
        """Return whether this method handles the credentials. If so, no other method is tried."""
        ...

    async def sign_in(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        """Return the caller, with the data that ``is_valid`` needs; raise ``Unauthenticated`` for wrong credentials."""
        ...

    def is_valid(self, caller: Caller, proof: bytes | None) -> bool:
        """Return, without a query, whether an earlier sign-in has not expired."""
        ...

    async def confirm_identity(self, caller: Caller, evidence: Evidence, address: str) -> bool | None:
        """Return whether the evidence is that of the signed-in user; ``None`` if this method cannot check it."""
        ...


class Authenticator:
    """Checks credentials with the first method that handles them."""

    def __init__(self, revisions: Revisions, methods: Sequence[SignInMethod], *, most_known: int) -> None:
        """Try the methods in order; at most ``most_known`` callers are cached."""
        self._revisions = revisions
        self._methods = tuple(methods)
        self._by_name = {name: method for method in methods for name in method.names}
        self._known = CredentialCache(most=most_known)

    def recall(self, authorization: str | None, cookie: str | None, marks: ContentVersions) -> CachedCaller | None:
        """Return the caller without a query, if it is cached for these content versions."""
        return self._recall(self._known.key(authorization, cookie), marks)

    def is_valid(self, known: CachedCaller) -> bool:
        """Return whether a caller can be used again as long as no content has changed: its sign-in has not expired."""
        return self._by_name[known.caller.method].is_valid(known.caller, known.proof)

    async def authenticate(self, credentials: Credentials) -> Caller:
        marks = await self._revisions.current()
        if marks is None:
            return (await self._sign_in(credentials))[0]
        key = self._known.key(credentials.authorization, credentials.cookie)
        known = self._recall(key, marks)
        if known is not None:
            return known.caller
        caller, proof = await self._sign_in(credentials)
        self._known.remember(key, caller, marks, proof)
        return caller

    def _recall(self, key: bytes, marks: ContentVersions) -> CachedCaller | None:
        known = self._known.find(key, marks)
        if known is not None and not self.is_valid(known):
            self._known.forget(key)
            return None
        return known

    async def _sign_in(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        for method in self._methods:
            if method.handles(credentials):
                return await method.sign_in(credentials)
        raise Unauthenticated

    async def confirm_identity(self, caller: Caller, evidence: Evidence, address: str) -> bool:
        """Return whether the evidence is that of the signed-in user; wrong evidence counts as an attempt to sign in."""
        for method in self._methods:
            answer = await method.confirm_identity(caller, evidence, address)
            if answer is not None:
                return answer
        return False
