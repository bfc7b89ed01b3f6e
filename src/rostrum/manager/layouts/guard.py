"""Refuses layouts that would let the caller control the desktops of others."""

from rostrum.manager.audiences import COMMON
from rostrum.manager.layouts.model import Layout
from rostrum.manager.users.desktop_guard import DesktopGuard


async def check_layout(guard: DesktopGuard, *layouts: Layout) -> None:
    """Refuse a layout of a user who has rights that the writer lacks, because the layout starts apps there."""
    if not guard.is_needed:
        return
    for owner in {layout.owner for layout in layouts} - {COMMON, "", guard.writer}:
        await guard.check_user(owner, "the layout belongs to a user who has more rights")
