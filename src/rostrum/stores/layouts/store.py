"""LayoutStore: where layouts are kept."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rostrum.base.signal import Signal
from rostrum.settings.unknown import close_to

Layout = Mapping[str, Any]
"""A layout as it was saved, with at least name, type and components."""


@dataclass(frozen=True, slots=True, order=True)
class LayoutKey:
    """Type and name: what distinguishes layouts."""

    type: str
    name: str

    @classmethod
    def of(cls, layout: Layout) -> "LayoutKey":
        return cls(str(layout.get("type", "Global")), str(layout["name"]))


class LayoutStore(Protocol):
    """Keeps layouts; edits made while its other side is away are kept and sent later.

    Attributes:
        name: As people know it: kind and place.
        changed: Emitted when layouts have changed, here or elsewhere.

    """

    name: str
    changed: Signal[None]

    @property
    def problems(self) -> Sequence[str]:
        """Return the problems to show to the user."""
        ...

    @property
    def offline_reason(self) -> str | None:
        """Return why its other side cannot be asked; None while it answers, and where there is none."""
        ...

    @property
    def connectivity_changed(self) -> Signal[None]:
        """Return the signal that the other side became offline, or online again."""
        ...

    async def open(self) -> None:
        """Read it for the first time and go on watching; raise StoreFailed when nothing can be read at all."""
        ...

    async def close(self) -> None:
        """Send what can be sent, and let go of everything."""
        ...

    async def refresh(self) -> None:
        """Read everything again; raise StoreFailed when that is not possible."""
        ...

    def layouts(self) -> Mapping[LayoutKey, Layout]: ...

    async def save(self, layout: Layout) -> None: ...

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Give a layout another name; raise StoreFailed when there is none, or the name is taken."""
        ...

    async def remove(self, key: LayoutKey) -> None:
        """Remove a layout; nothing happens when there is none."""
        ...

    def default(self) -> LayoutKey | None:
        """Return the Global layout restored at start-up."""
        ...

    async def set_default(self, key: LayoutKey | None) -> None:
        """Choose it, or clear the choice."""
        ...


def stored(layout: Layout) -> dict[str, Any]:
    """Return a layout as every store keeps it: a copy, with nothing added."""
    return dict(layout)


def no_such_layout(key: LayoutKey, known: Iterable[LayoutKey]) -> str:
    """Say that there is no such layout, and which is the nearest."""
    close = close_to(key.name, (one.name for one in known if one.type == key.type))
    return f"there is no {key.type} layout {key.name!r}{f'; did you mean {close!r}?' if close else ''}"
