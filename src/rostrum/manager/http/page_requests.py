"""Recognizes requests of the admin UI, which are handled differently.

A browser that is challenged for a password asks for a password itself and then sends it with every request, so that a
session would neither end nor be ended. Over plain HTTP, browsers do not mark requests of pages
(``Sec-Fetch-Mode``), so the admin UI marks them itself.
"""

from collections.abc import Mapping

from rostrum.manager.auth.schemes import brings_password

MARK = "x-requested-with"
ADMIN_UI = "rostrum-admin-ui"
"""The value of the header in the requests of the admin UI."""

CONFIRMATION = "confirmation"
"""The header with the confirmation of the identity, in requests with a session."""

SIGN_IN = "sign_in"
"""The option of the handler where the admin UI sends a password; all its other requests use the cookie or a token."""

_BY_PAGES = frozenset({"cors", "same-origin"})


def is_by_page(headers: Mapping[str, str]) -> bool:
    """Return whether a page sent the request; pages show their own form if a password is required."""
    return MARK in headers or headers.get("sec-fetch-mode") in _BY_PAGES


def own_credentials(authorization: str | None, mark: str | None) -> str | None:
    """Ignore a password that a browser has added to a request of the admin UI."""
    if mark == ADMIN_UI and authorization is not None and brings_password(authorization):
        return None
    return authorization
