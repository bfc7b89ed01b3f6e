"""What every app store has: its content, and the signal when that differs."""

from rostrum.base.signal import Signal
from rostrum.stores.apps.store import Apps


class Content:
    """Holds what a store has now, and tells when it differs."""

    def __init__(self, name: str, *, required: bool = True, trusted: bool = False) -> None:
        self.name = name
        self.required = required
        self.trusted = trusted
        self.apps = Apps()
        self.changed: Signal[Apps] = Signal()

    def put(self, apps: Apps) -> bool:
        """Take newer content; tell listeners when definitions or problems differ, or a copy begins or ends to serve."""
        before, self.apps = self.apps, apps
        differs = (before.definitions, before.problems, before.age is None) != (
            apps.definitions,
            apps.problems,
            apps.age is None,
        )
        if differs:
            self.changed.emit(apps)
        return differs
