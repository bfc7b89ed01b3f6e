"""Global hotkeys: keys that work while another program has the keyboard. Implemented for X11."""

import logging
from collections.abc import Callable, Mapping

__all__ = ["Hotkeys"]

_log = logging.getLogger(__name__)


class Hotkeys:
    """The registered hotkeys."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        """Take what to call with a hotkey that was pressed."""
        self._pressed = pressed
        self._registered: Mapping[str, object] = {}

    def set(self, hotkeys: tuple[str, ...]) -> tuple[str, ...]:
        """Listen to exactly these hotkeys; return those that could not be registered."""
        return hotkeys

    def close(self) -> None:
        """Listen no more."""
