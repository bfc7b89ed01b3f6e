"""Pages: which types of app are pages, and which addresses of pages a desktop may open."""

import re
from typing import Annotated

from pydantic import Field

from rostrum.contracts.names import FORMS

__all__ = ["PAGE_TYPES", "PageAddress", "opens_file", "why_not_opened"]

PAGE_TYPES = frozenset({"window", "workspaces", "webgroup"})
"""Types of app that are pages, in lower case; all others are, or may be, programs of the machine."""

# https, http, data (urlLoadOptions has a base for it), file, about:blank; or no scheme: a path, or a host with a port
# that cannot be a scheme. Anything else before a colon is one, such as javascript:, also with the spaces and line
# breaks that browsers skip.
_PATTERN = (
    r"^([hH][tT][tT][pP][sS]?:|[dD][aA][tT][aA]:|[fF][iI][lL][eE]:|about:blank$|[^:/?#]*$|[^:/?#]*[/?#]"
    r"|(localhost|[0-9%][^:/?#\s]*):[0-9]+($|[/?#]))"
)
_OPENED = re.compile(_PATTERN)
# Windows takes two backslashes for a file server.
_FILE = re.compile(r"\s*(file:|\\\\)", re.IGNORECASE)
_WORDS = "must be the address of a page: https, http or data"
FORMS[_PATTERN] = _WORDS

PageAddress = Annotated[str, Field(pattern=_PATTERN)]
"""Where the page of an app lies; a file only for apps of this machine's own stores."""


def opens_file(url: object) -> bool:
    """Say whether an address is that of a file."""
    return isinstance(url, str) and _FILE.match(url) is not None


def why_not_opened(url: object, *, files: bool) -> str | None:
    """Tell why a desktop does not open an address; None when it does."""
    if not isinstance(url, str) or not url:
        return None
    if _OPENED.match(url) is None:
        return _WORDS
    if opens_file(url) and not files:
        return "must not be a file, except for apps of a local folder or of a store with trusted"
    return None
