"""The log of sign-ins: who came in, who was refused, whose credentials were made or ended, from where."""

import logging
from enum import StrEnum

from rostrum.manager.audit.origin import current_origin

LOGGER = "rostrum.security"
"""The one name under which all of it is logged."""

UNKNOWN = "(unknown)"
"""Stands for a user id that does not exist: people type passwords where their name should be."""

_log = logging.getLogger(LOGGER)


class SecurityEvent(StrEnum):
    """What happened, by the names that are logged."""

    LOGGED_IN = "logIn"
    REFUSED = "logInRefused"
    THROTTLED = "logInThrottled"
    LOGGED_OUT = "logOut"
    PASSWORD_CHANGED = "passwordChanged"  # noqa: S105 - no password
    DISABLED = "userDisabled"
    TOKEN_MADE = "tokenMade"  # noqa: S105 - no token
    TOKEN_REVOKED = "tokenRevoked"  # noqa: S105 - no token


_WARNINGS = frozenset({SecurityEvent.REFUSED, SecurityEvent.THROTTLED})


def report(event: SecurityEvent, user: str | None, *, actor: str = "", address: str | None = None) -> None:
    """Log one event about a user; no secret can come here.

    Attributes:
        user: Whose sign-in it is; ``None`` when there is no such user.
        actor: Who did it, when that is somebody else.
        address: Where it came from; the origin of what runs now, unless given.

    """
    level = logging.WARNING if event in _WARNINGS else logging.INFO
    if not _log.isEnabledFor(level):
        return
    fields = {
        "event": event.value,
        "user": UNKNOWN if user is None else user,
        "address": current_origin().address if address is None else address,
    }
    if actor and actor != user:
        fields["actor"] = actor
    words = " ".join(f"{name}={value!r}" for name, value in fields.items() if name != "event")
    _log.log(level, "%s %s", event.value, words, extra={"fields": fields})
