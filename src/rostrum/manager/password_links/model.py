"""Links with which users set their first password: the stored record, and the secret part of the address."""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordLink:
    """A link of one user.

    Attributes:
        key_hash: The hash of the secret part, which is not stored.
        epoch: The epoch of the user when the link was created. A new password, and disabling the user, change it.

    """

    user: str
    key_hash: str = field(repr=False)
    epoch: int
    created: datetime
    created_by: str
    expires: datetime

    def shown(self) -> dict[str, Any]:
        """Return the data for the audit, without the hash."""
        return {"user": self.user, "expires": self.expires}


def new_token() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_of(token: str) -> str:
    # The token is random and long, so a fast hash is sufficient.
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkResult:
    """The new link of a user, or the reason why there is none."""

    user: str
    token: str | None = field(default=None, repr=False)
    expires: datetime | None = None
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "user": self.user,
            "result": "created" if self.message is None else "refused",
            "message": self.message,
            "token": self.token,
            "expires": self.expires,
        }
