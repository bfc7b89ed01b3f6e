"""PreferenceStore: where the preferences of apps are kept."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from rostrum.base.signal import Signal

Data = Mapping[str, Any]
"""The preferences of one app, by name."""


class PreferenceStore(Protocol):
    """Keeps the preferences of one user's apps; edits made while its other side is away are kept and sent later.

    Attributes:
        name: As people know it: kind and place.

    """

    name: str

    @property
    def problems(self) -> Sequence[str]:
        """Return what could not be used, was refused, or was changed on both sides."""
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
        """Make it ready; raise StoreFailed when nothing can be read at all."""
        ...

    async def close(self) -> None:
        """Send what can be sent, and let go of everything."""
        ...

    @property
    def apps(self) -> tuple[str, ...]:
        """Return the apps whose preferences are at hand."""
        ...

    async def get(self, app: str) -> Data:
        """Return what an app keeps; empty when it keeps nothing."""
        ...

    async def set(self, app: str, data: Data) -> None:
        """Replace what an app keeps."""
        ...

    async def update(self, app: str, data: Data) -> None:
        """Change the names given and leave the others."""
        ...

    async def clear(self, app: str | None = None) -> None:
        """Forget what an app keeps; without a name, what every app keeps."""
        ...

    def subscribe(self, app: str, listener: Callable[[Data], None]) -> Callable[[], None]:
        """Hear of changes from anywhere; newer data is looked for while somebody is subscribed."""
        ...
