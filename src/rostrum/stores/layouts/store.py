"""The interface of layout stores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rostrum.base.signal import Signal
from rostrum.settings.unknown import close_to

Layout = Mapping[str, Any]
"""A layout as saved, with at least name, type and components."""


@dataclass(frozen=True, slots=True, order=True)
class LayoutKey:
    """Type and name, which identify a layout."""

    type: str
    name: str

    @classmethod
    def of(cls, layout: Layout) -> "LayoutKey":
        return cls(str(layout.get("type", "Global")), str(layout["name"]))


class LayoutStore(Protocol):
    """Stores layouts; edits made while the service is offline are stored and sent later.

    Attributes:
        name: Name for messages: kind and location.
        changed: Emitted when layouts were changed here or by another client.
    """

    name: str
    changed: Signal[None]

    @property
    def problems(self) -> Sequence[str]:
        """Return the problems to show to the user."""
        ...

    @property
    def offline_reason(self) -> str | None:
        """Return why the service is not reachable; None while it responds, and for local stores."""
        ...

    @property
    def connectivity_changed(self) -> Signal[None]:
        """Return the signal that the service went offline or came online."""
        ...

    async def open(self) -> None:
        """Read the layouts and start to watch them; raise StoreFailed if nothing can be read."""
        ...

    async def close(self) -> None:
        """Release all resources; edits that were not sent are sent after the next start."""
        ...

    async def refresh(self) -> None:
        """Read everything again; raise StoreFailed if that is not possible."""
        ...

    def layouts(self) -> Mapping[LayoutKey, Layout]: ...

    async def save(self, layout: Layout) -> None: ...

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Rename a layout; raise StoreFailed if it does not exist or the name is taken."""
        ...

    async def remove(self, key: LayoutKey) -> None:
        """Remove a layout, if it exists."""
        ...

    def default(self) -> LayoutKey | None:
        """Return the Global layout that is restored at start-up."""
        ...

    async def set_default(self, key: LayoutKey | None) -> None:
        """Set or clear the default."""
        ...


def stored(layout: Layout) -> dict[str, Any]:
    """Return a copy of a layout as all stores save it."""
    return dict(layout)


def no_such_layout(key: LayoutKey, known: Iterable[LayoutKey]) -> str:
    """Return the error for an unknown layout, with the most similar name."""
    close = close_to(key.name, (one.name for one in known if one.type == key.type))
    return f"there is no {key.type} layout {key.name!r}{f'; did you mean {close!r}?' if close else ''}"
