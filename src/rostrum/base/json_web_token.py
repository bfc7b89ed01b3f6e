"""Signed tokens in the JWT format (RFC 7519), with one algorithm: HMAC with SHA-256."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

_ALGORITHM = "HS256"


class InvalidToken(Exception):
    """A text is no token, or was not signed with the secret."""


class TokenKey:
    """Signs claims, and reads tokens that were signed with the same secret."""

    def __init__(self, secret: bytes) -> None:
        self._mac = hmac.new(secret, digestmod="sha256")
        self._header = _encode({"alg": _ALGORITHM, "typ": "JWT"})

    def sign(self, claims: dict[str, Any]) -> str:
        signed = self._header + b"." + _encode(claims)
        return (signed + b"." + self._signature(signed)).decode()

    def read(self, text: str) -> dict[str, Any]:
        """Return the claims of a token.

        The signature is compared first, so only texts of a holder of the secret are decoded. It is compared as text:
        each signature has exactly one valid form.
        """
        try:
            header, claims, signature = text.encode("ascii").split(b".")
            if not hmac.compare_digest(self._signature(header + b"." + claims), signature):
                raise InvalidToken
            found, read = _decode(header), _decode(claims)
        except (ValueError, RecursionError):
            raise InvalidToken from None
        # A critical extension can change the meaning of the claims.
        if found.get("alg") != _ALGORITHM or "crit" in found:
            raise InvalidToken
        return read

    def _signature(self, signed: bytes) -> bytes:
        mac = self._mac.copy()
        mac.update(signed)
        return _text(mac.digest())


def _encode(value: dict[str, Any]) -> bytes:
    return _text(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


def _text(value: bytes) -> bytes:
    return urlsafe_b64encode(value).rstrip(b"=")


def _decode(part: bytes) -> dict[str, Any]:
    value = json.loads(urlsafe_b64decode(part + b"=" * (-len(part) % 4)))
    if not isinstance(value, dict):
        raise InvalidToken
    return value
