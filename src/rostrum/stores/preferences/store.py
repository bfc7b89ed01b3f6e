"""The interface of preference stores."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from rostrum.base.signal import Signal

Data = Mapping[str, Any]
"""The preferences of one app, by name."""


class PreferenceStore(Protocol):
    """Stores the preferences of one user's apps; edits made while the service is offline are stored and sent later.

    Attributes:
        name: Name for messages: kind and location.
    """

    name: str

    @property
    def problems(self) -> Sequence[str]:
        """Return which files could not be used, which edits were rejected, and which conflicts occurred."""
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
        """Prepare the store; raise StoreFailed if nothing can be read."""
        ...

    async def close(self) -> None:
        """Release all resources; edits that were not sent are sent after the next start."""
        ...

    @property
    def apps(self) -> tuple[str, ...]:
        """Return the apps whose preferences are available."""
        ...

    async def get(self, app: str) -> Data:
        """Return the preferences of an app; empty if it has none."""
        ...

    async def set(self, app: str, data: Data) -> None:
        """Replace the preferences of an app."""
        ...

    async def update(self, app: str, data: Data) -> None:
        """Change the given names and keep the others."""
        ...

    async def clear(self, app: str | None = None) -> None:
        """Remove the preferences of an app; without a name, of all apps."""
        ...

    def subscribe(self, app: str, listener: Callable[[Data], None]) -> Callable[[], None]:
        """Listen to changes made here or by other clients; newer data is fetched while there are listeners."""
        ...
