"""Users without peers, and when what they have stored in the gateway expires."""

_AFTER_REVOCATION = 60.0
"""Seconds for which stored data stays after the last sign-in of its user was revoked, for example by a new password."""


class Absences:
    """The absent owners with stored data. Its lifetime begins at the first look after the departure."""

    def __init__(self, seconds: float) -> None:
        """Keep data for this time after the last peer of its owner has left."""
        self._seconds = seconds
        self._until: dict[str, float | None] = {}
        self._revoked: set[str] = set()

    def begin(self, owner: str) -> None:
        """Record that the last peer of an owner has left."""
        self._until[owner] = None

    def end(self, owner: str, *, is_local: bool) -> None:
        """Record a new peer of an owner; a peer of this process does not revoke a revocation."""
        self._until.pop(owner, None)
        if not is_local:
            self._revoked.discard(owner)

    def revoke(self, owner: str) -> None:
        """Record that the access of an owner without clients was revoked: the data expires soon after the last peer."""
        self._revoked.add(owner)

    def expired(self, now: float) -> list[str]:
        """Return the owners whose data expires now, and forget them."""
        for owner, until in self._until.items():
            if until is None:
                seconds = min(_AFTER_REVOCATION, self._seconds) if owner in self._revoked else self._seconds
                self._until[owner] = now + seconds
        expired = [owner for owner, until in self._until.items() if until is not None and until <= now]
        for owner in expired:
            del self._until[owner]
        self._revoked.difference_update(expired)
        return expired
