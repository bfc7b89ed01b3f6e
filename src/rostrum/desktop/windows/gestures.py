"""What the pointer and the ALT key mean: a long press, and a drag that takes part or stays apart; pure."""

from math import hypot
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # For annotations only: the window process starts sooner without the settings.
    from rostrum.settings.sections.window_groups import UnlockOnLongMousePress
    from rostrum.settings.sections.window_management import AlternateBehavior

__all__ = ["Dragging", "LongPress", "takes_part"]

Dragging = Literal["snapping", "drop in a tab group", "drop in a workspace"]


def takes_part(what: Dragging, settings: "AlternateBehavior", *, alt: bool) -> bool:
    """Say whether a drag snaps or drops in: without ALT it does, with ALT it stays apart; ``reverse`` swaps both."""
    reverse = {
        "snapping": settings.snapping.reverse,
        "drop in a tab group": settings.drop_in_tab_group.reverse,
        "drop in a workspace": settings.drop_in_workspace.reverse,
    }[what]
    return alt is (reverse is True)


class LongPress:
    """Follows one pointer until it has rested long enough on a window to unlock it from its group."""

    def __init__(self, settings: "UnlockOnLongMousePress") -> None:
        """Take how long a press lasts, and how far it may stray."""
        self._settings = settings
        self._pressed: tuple[str, float, float, float] | None = None

    def press(self, window: str, x: float, y: float, now: float) -> None:
        """Begin a press; ``now`` is in seconds, of a clock that only grows."""
        if self._settings.enabled:
            self._pressed = (window, x, y, now)

    def move(self, x: float, y: float) -> None:
        """Follow the pointer; a press that strays too far is a drag."""
        if self._pressed is not None:
            _, left, top, _ = self._pressed
            if hypot(x - left, y - top) > self._settings.tolerance:
                self._pressed = None

    def release(self) -> None:
        """End the press."""
        self._pressed = None

    def unlocked(self, now: float) -> str | None:
        """Return the window that the press has unlocked by now, once."""
        if self._pressed is None or (now - self._pressed[3]) * 1000 < self._settings.timeout:
            return None
        window, self._pressed = self._pressed[0], None
        return window
