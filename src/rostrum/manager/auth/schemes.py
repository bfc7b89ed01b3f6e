"""The authentication schemes of requests, and the challenges of responses."""

SCHEME = "basic"
HTTP_SCHEMES = (SCHEME,)
"""The HTTP authentication schemes in the OpenAPI document, in addition to session cookie and token."""

CHALLENGE = 'Basic realm="rostrum", charset="UTF-8"'
PAGE_CHALLENGE = 'Form realm="rostrum"'
"""The challenge for requests of pages: browsers show no password dialog for it."""

API_TOKEN_PREFIX = "rostrum_"  # noqa: S105 - the beginning of a token
"""How every API token begins, so that scanners find tokens in files that were published by mistake."""


def brings_password(authorization: str) -> bool:
    """Return whether an Authorization header has a password."""
    return authorization[: len(SCHEME)].lower() == SCHEME
