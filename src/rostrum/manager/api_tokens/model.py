"""API tokens: the stored record, and the text that a program sends."""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rostrum.manager.access.identity import TokenUse
from rostrum.manager.auth.schemes import API_TOKEN_PREFIX

_TEXT = re.compile(rf"{API_TOKEN_PREFIX}([0-9a-f]{{20}})_([A-Za-z0-9_-]{{43}})")
_ID_BYTES = 10
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """An API token.

    Attributes:
        key_hash: The hash of the secret part, which is not stored.
        user: The owner: a user or a service account.
        permissions: The groups whose rights the token has, as far as the owner has them too.
        last_used: The time of a recent request with the token, exact to a minute.

    """

    id: str
    key_hash: str = field(repr=False)
    user: str
    name: str
    permissions: tuple[str, ...]
    created: datetime
    created_by: str
    expires: datetime
    last_used: datetime | None = None

    @property
    def use(self) -> TokenUse:
        """The part of the token that the identity of a request contains."""
        return TokenUse(id=self.id, name=self.name, rights=frozenset(self.permissions))

    def has_secret(self, secret: str) -> bool:
        """Return whether this is the secret part, in a time that does not depend on it."""
        return hmac.compare_digest(self.key_hash, hash_of(secret))

    def as_json(self) -> dict[str, Any]:
        """Return the token without its secret."""
        return {
            "id": self.id,
            "user": self.user,
            "name": self.name,
            "permissions": list(self.permissions),
            "created": self.created,
            "createdBy": self.created_by,
            "expires": self.expires,
            "lastUsed": self.last_used,
        }


def new_token_id() -> str:
    """Return a random ID without an underscore, which ends the ID in the text of a token."""
    return secrets.token_hex(_ID_BYTES)


def new_secret() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_of(secret: str) -> str:
    # The secret is random and long, so a fast hash is sufficient.
    return hashlib.sha256(secret.encode()).hexdigest()


def text_of(token: ApiToken, secret: str) -> str:
    """Return the text that a program sends."""
    return f"{API_TOKEN_PREFIX}{token.id}_{secret}"


def parse(text: str) -> tuple[str, str] | None:
    """Return the ID and the secret part of a token."""
    found = _TEXT.fullmatch(text)
    return None if found is None else (found[1], found[2])
