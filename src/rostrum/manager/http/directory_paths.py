"""Paths with the key of an app directory: which they are, what their responses must say, and how logs show them."""

import re
from functools import lru_cache

HEADERS = (
    (b"access-control-allow-origin", b"*"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-robots-tag", b"noindex"),
)
"""Pages of all origins may read, because the key is the credential; no browser sends the address to another server."""


def is_directory(base: str, path: str) -> bool:
    """Say whether a path may have the key of an app directory."""
    return _key(base).match(path) is not None


def masked(base: str, path: str) -> str:
    """Give a path without the key of an app directory."""
    return _key(base).sub(r"\1***", path, count=1)


@lru_cache(maxsize=16)
def _key(base: str) -> re.Pattern[str]:
    # Below the base only: an app, say, may be called "directory" as well. Slashes of names are marked with \x01.
    return re.compile(rf"(?i)(^{re.escape(f'/{base}'.rstrip('/'))}/+directory(?:/|%2f|\x01)+)[^/]+")
