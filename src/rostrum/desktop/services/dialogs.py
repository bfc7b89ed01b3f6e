"""Dialogs of the platform, each of which can be disabled."""

from collections.abc import Sequence
from enum import StrEnum

from rostrum.base.shown_text import shown_text
from rostrum.desktop.hosts.port import DialogLook, WindowHost
from rostrum.settings.sections.user_interface import Dialogs as DialogSettings


class Unsaved(StrEnum):
    """How to handle unsaved changes; the first is the safe choice."""

    STAY = "Stay"
    SAVE = "Save"
    DISCARD = "Discard"


class Dialogs:
    """Shows questions to the user.

    If a question is disabled, an operation that an app prevents stays prevented: the app then shows its own question.
    """

    def __init__(self, settings: DialogSettings, host: WindowHost) -> None:
        self._asked = settings.enable_default_dialogs
        self._host = host
        self._look = DialogLook(
            width=settings.width, height=settings.height, transparent=settings.transparent, url=settings.url
        )

    async def leave_anyway(self, holders: Sequence[tuple[str, str]]) -> bool:
        """Return whether to exit although apps, given as title and reason, prevent the shutdown."""
        if not holders:
            return True
        if not self._asked.prevent_shutdown:
            return False
        listed = "; ".join(_because(title, reason) for title, reason in holders)
        return await self._ask(f"The shutdown is prevented by {listed}. Leave anyway?", ("Stay", "Leave")) == "Leave"

    async def close_anyway(self, title: str, reason: str) -> bool:
        """Return whether to close a window although its app prevents it."""
        if not self._asked.prevent_window_close:
            return False
        question = f"Closing is prevented by {_because(title, reason)}. Close anyway?"
        return await self._ask(question, ("Keep open", "Close")) == "Close"

    async def unsaved(self, layout: str) -> Unsaved:
        """Return how to handle unsaved changes of a layout; if the question is disabled, they are discarded."""
        if not self._asked.unsaved_layout_changes:
            return Unsaved.DISCARD
        question = f"The layout {layout} has changes that are not saved. Save them?"
        return Unsaved(await self._ask(question, tuple(str(one) for one in Unsaved)))

    async def _ask(self, question: str, choices: tuple[str, ...]) -> str:
        # Apps write the titles and reasons.
        answer = await self._host.ask(shown_text(question), choices, self._look)
        return answer if answer in choices else choices[0]


def _because(title: str, reason: str) -> str:
    return f"{title} ({reason})" if reason else title
