"""New ids: short, URL-safe, not guessable."""

import secrets

__all__ = ["new_id"]


def new_id() -> str:
    """Return 12 URL-safe characters (72 random bits)."""
    return secrets.token_urlsafe(9)
