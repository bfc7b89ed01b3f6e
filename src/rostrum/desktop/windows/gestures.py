"""Pointer gestures: a long press, and the effect of ALT on drags; pure."""

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.window_groups import UnlockOnLongMousePress
    from rostrum.settings.sections.window_management import AlternateBehavior


Dragging = Literal["snapping", "drop in a tab group", "drop in a workspace"]


def takes_part(what: Dragging, settings: "AlternateBehavior", *, alt: bool) -> bool:
    """Return whether a drag snaps or drops: without ALT it does, with ALT it does not; ``reverse`` swaps both."""
    reverse = {
        "snapping": settings.snapping.reverse,
        "drop in a tab group": settings.drop_in_tab_group.reverse,
        "drop in a workspace": settings.drop_in_workspace.reverse,
    }[what]
    return alt is (reverse is True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPress:
    """The press that tears a window out of its group without a drag.

    Attributes:
        timeout: Duration in milliseconds.
        tolerance: Maximum movement of the pointer in pixels.
    """

    timeout: float
    tolerance: float

    def allows(self, across: float, down: float) -> bool:
        """Return whether the pointer may be this far from where it was pressed."""
        return hypot(across, down) <= self.tolerance


def long_press(settings: "UnlockOnLongMousePress") -> LongPress | None:
    """Read the settings; None if long presses have no effect."""
    return LongPress(timeout=settings.timeout, tolerance=settings.tolerance) if settings.enabled else None
