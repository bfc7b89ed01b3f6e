"""Paths of requests: slashes inside names, and secret keys of app directories, which logs must not contain."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

SLASH = "\x01"
"""Represents a slash that belongs to a name (``%2F``) and is not a separator."""

HEADERS = (
    (b"access-control-allow-origin", b"*"),
    (b"x-robots-tag", b"noindex"),
)
"""Pages of all origins may read, because the key is the credential."""


def is_directory(base: str, path: str) -> bool:
    """Return whether a path may have the key of an app directory."""
    return _key(base).match(path) is not None


def masked(base: str, path: str) -> str:
    """Return a path without the key of an app directory."""
    return _key(base).sub(r"\1***", path, count=1)


@lru_cache(maxsize=16)
def _key(base: str) -> re.Pattern[str]:
    # Below the base only: an app, say, may be called "directory" as well. Slashes of names are marked with \x01.
    return re.compile(rf"(?i)(^{re.escape(f'/{base}'.rstrip('/'))}/+directory(?:/|%2f|\x01)+)[^/]+")


def with_slashes(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Restore the slashes of names, which the edge marks in the path, in a copy: the router shares the parameters."""
    return {name: value.replace(SLASH, "/") if isinstance(value, str) else value for name, value in parameters.items()}
