"""RFC 7617: from the Authorization header to a user id and a password."""

import base64
import binascii

from rostrum.manager.errors import Unauthenticated

CHALLENGE = 'Basic realm="rostrum", charset="UTF-8"'
PAGE_CHALLENGE = 'Form realm="rostrum"'
"""What a page's own requests are asked for instead: no browser has a dialogue for it."""


def parse_basic(encoded: str) -> tuple[str, str]:
    """Decode the part after ``Basic``; the first colon splits, so a password may hold more of them."""
    try:
        text = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise Unauthenticated from None
    user_id, colon, password = text.partition(":")
    if not colon or not user_id or not password or "\0" in text:
        raise Unauthenticated
    return user_id, password
