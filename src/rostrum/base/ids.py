"""New ids: short, URL-safe, not guessable."""

import secrets


def new_id() -> str:
    """Return 12 URL-safe characters (some 72 random bits), of which the first is a letter or a digit."""
    # Commands take what begins with a dash for an option.
    while not (made := secrets.token_urlsafe(9))[0].isalnum():
        pass
    return made
