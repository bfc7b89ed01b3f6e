"""The port of sign-in methods: what the authenticator needs from each of them."""

from typing import Protocol

from rostrum.manager.auth.caller import Caller, Credentials, Method


class SignInMethod(Protocol):
    """One way to sign in, for example with a password or with a session.

    Attributes:
        names: How callers are marked who have signed in this way.

    """

    names: frozenset[Method]

    def handles(self, credentials: Credentials) -> bool:
        """Say whether the credentials are of this method; no other method is asked then."""
        ...

    async def sign_in(self, credentials: Credentials) -> tuple[Caller, bytes | None]:
        """Return the caller, with what ``is_valid`` needs later; raise ``Unauthenticated`` for wrong credentials."""
        ...

    def is_valid(self, caller: Caller, proof: bytes | None) -> bool:
        """Say, without asking the database, whether an earlier sign-in has not expired."""
        ...

    async def confirm(self, caller: Caller, password: str, address: str) -> bool | None:
        """Say whether a signed-in user knows the password; ``None`` if this method knows no passwords."""
        ...
