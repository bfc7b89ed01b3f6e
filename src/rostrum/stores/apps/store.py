"""The interface of app stores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rostrum.base.problems import Problem
from rostrum.base.signal import Signal

Definition = Mapping[str, Any]
"""An app definition as written, with the overrides of its store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apps:
    """The content of a store.

    Attributes:
        definitions: By name, in the order of the store.
        problems: Problems of single definitions; each states whether the definition is omitted.
        age: Age of a cached response in seconds; None for a current one.
    """

    definitions: Mapping[str, Definition] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    age: float | None = None


class AppStore(Protocol):
    """A source of app definitions.

    Attributes:
        name: Name for messages: kind and location.
        required: Whether the platform must not start without it.
        trusted: Whether its definitions get privileges that others do not have.
        apps: The current content; empty before it is opened.
        changed: Emitted with the new content when it changed.
    """

    name: str
    required: bool
    trusted: bool
    apps: Apps
    changed: Signal[Apps]

    async def open(self) -> None:
        """Read the store and start to watch it; raise StoreFailed if that is not possible."""
        ...

    async def refresh(self) -> None:
        """Read the store again; raise StoreFailed if that fails, and keep the content."""
        ...

    async def close(self) -> None: ...


class Content:
    """The content of a store, with a signal for changes."""

    def __init__(self, name: str, *, required: bool = True, trusted: bool = False) -> None:
        self.name = name
        self.required = required
        self.trusted = trusted
        self.apps = Apps()
        self.changed: Signal[Apps] = Signal()

    def put(self, apps: Apps) -> bool:
        """Replace the content; notify listeners if definitions or problems changed, or use of a copy begins or ends."""
        before, self.apps = self.apps, apps
        differs = (before.definitions, before.problems, before.age is None) != (
            apps.definitions,
            apps.problems,
            apps.age is None,
        )
        if differs:
            self.changed.emit(apps)
        return differs
