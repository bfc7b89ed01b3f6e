"""What the pointer and the ALT key mean: a long press, and a drag that takes part or stays apart; pure."""

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # For annotations only: the window process starts sooner without the settings.
    from rostrum.settings.sections.window_groups import UnlockOnLongMousePress
    from rostrum.settings.sections.window_management import AlternateBehavior

__all__ = ["Dragging", "LongPress", "long_press", "takes_part"]

Dragging = Literal["snapping", "drop in a tab group", "drop in a workspace"]


def takes_part(what: Dragging, settings: "AlternateBehavior", *, alt: bool) -> bool:
    """Return whether a drag snaps or drops in: without ALT it does, with ALT it stays apart; ``reverse`` swaps both."""
    reverse = {
        "snapping": settings.snapping.reverse,
        "drop in a tab group": settings.drop_in_tab_group.reverse,
        "drop in a workspace": settings.drop_in_workspace.reverse,
    }[what]
    return alt is (reverse is True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPress:
    """The press that takes a window out of its group without a drag.

    Attributes:
        timeout: How long it lasts, in milliseconds.
        tolerance: How far the pointer may move meanwhile, in pixels.

    """

    timeout: float
    tolerance: float

    def allows(self, across: float, down: float) -> bool:
        """Return whether the pointer may be this far from where it was pressed."""
        return hypot(across, down) <= self.tolerance


def long_press(settings: "UnlockOnLongMousePress") -> LongPress | None:
    """Read the settings; None when a long press has no meaning."""
    return LongPress(timeout=settings.timeout, tolerance=settings.tolerance) if settings.enabled else None
