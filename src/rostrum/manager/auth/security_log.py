"""The security log: sign-ins, refusals, and issued and revoked credentials, with their addresses."""

import logging
from enum import StrEnum

from rostrum.base.clock import Clock
from rostrum.base.report_limit import ReportLimit
from rostrum.manager.changes.origin import current_origin

LOGGER = "rostrum.security"
"""The name of the logger for all security events."""

UNKNOWN = "(unknown)"
"""Replaces user IDs that do not exist, because people sometimes type passwords in the field for the user ID."""

_log = logging.getLogger(LOGGER)


class SecurityEvent(StrEnum):
    """The kinds of events, with the names that are logged."""

    LOGGED_IN = "logIn"
    REFUSED = "logInRefused"
    THROTTLED = "logInThrottled"
    CONFIRMED = "identityConfirmed"
    LOGGED_OUT = "logOut"
    PASSWORD_CHANGED = "passwordChanged"  # noqa: S105 - no password
    DISABLED = "userDisabled"
    TOKEN_MADE = "tokenMade"  # noqa: S105 - no token
    TOKEN_REVOKED = "tokenRevoked"  # noqa: S105 - no token
    API_TOKEN_MADE = "apiTokenMade"  # noqa: S105 - no token
    API_TOKEN_REVOKED = "apiTokenRevoked"  # noqa: S105 - no token
    FORBIDDEN = "forbidden"
    PASSWORD_LINK_MADE = "passwordLinkMade"  # noqa: S105 - no password


_WARNINGS = frozenset({SecurityEvent.REFUSED, SecurityEvent.THROTTLED, SecurityEvent.FORBIDDEN})


def report(
    event: SecurityEvent, user: str | None, *, actor: str = "", address: str | None = None, operation: str = ""
) -> None:
    """Log one event about a user. It contains no secrets.

    Args:
        user: The user who signs in; ``None`` if the user does not exist.
        actor: The user who performed the action, if it is another user.
        address: The address of the client; by default that of the current request.
        operation: The ID of the operation, if it matters.

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
    if operation:
        fields["operation"] = operation
    words = " ".join(f"{name}={value!r}" for name, value in fields.items() if name != "event")
    _log.log(level, "%s %s", event.value, words, extra={"fields": fields})


class RefusedRights:
    """Reports refused rights: each operation of a user once per minute, and limited numbers of users and operations."""

    def __init__(self, clock: Clock) -> None:
        self._limit = ReportLimit(clock)

    def add(self, user: str, operation: str, address: str) -> None:
        """Report that a user may not do this, unless it was just reported."""
        allowed = self._limit.allows(user, operation)
        if self._limit.omitted:
            _log.warning("%d further refused rights were not reported", self._limit.omitted)
        if allowed:
            report(SecurityEvent.FORBIDDEN, user, address=address, operation=operation)
