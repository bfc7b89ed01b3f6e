"""AppStore: one source of app definitions, and its results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rostrum.base.problems import Problem
from rostrum.base.signal import Signal

Definition = Mapping[str, Any]
"""An app definition as it was written, after the overrides of its store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apps:
    """What a store has now.

    Attributes:
        definitions: By name, in the order of the store.
        problems: What is wrong with single definitions, which are then omitted or kept, as stated.
        age: Seconds since a cached answer was saved; None for a fresh one.

    """

    definitions: Mapping[str, Definition] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    age: float | None = None


class AppStore(Protocol):
    """One place app definitions come from.

    Attributes:
        name: As people know it: kind and place.
        required: The platform must not start without it.
        trusted: Its definitions may do what others may not.
        apps: What it has now; empty before it is opened.
        changed: Emitted with the new content whenever it differs.

    """

    name: str
    required: bool
    trusted: bool
    apps: Apps
    changed: Signal[Apps]

    async def open(self) -> None:
        """Read it for the first time and go on watching; raise StoreFailed when that is not possible."""
        ...

    async def refresh(self) -> None:
        """Read it again now; raise StoreFailed when that does not work, and keep what there is."""
        ...

    async def close(self) -> None: ...


class Content:
    """Holds the content of a store, and announces differences."""

    def __init__(self, name: str, *, required: bool = True, trusted: bool = False) -> None:
        self.name = name
        self.required = required
        self.trusted = trusted
        self.apps = Apps()
        self.changed: Signal[Apps] = Signal()

    def put(self, apps: Apps) -> bool:
        """Replace the content; notify listeners if definitions or problems differ, or use of a copy begins or ends."""
        before, self.apps = self.apps, apps
        differs = (before.definitions, before.problems, before.age is None) != (
            apps.definitions,
            apps.problems,
            apps.age is None,
        )
        if differs:
            self.changed.emit(apps)
        return differs
