"""Dialogs that an app shows for a window; the result is sent to the app as an event."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.window_registry import WindowRecord

_log = logging.getLogger(__name__)
_MOST_OPEN = 16
_LONGEST = 2000
_BUTTONS = ("affirmative", "negative", "cancel")
_KINDS = {
    "YesNo": ("Yes", "No", None),
    "YesNoCancel": ("Yes", "No", "Cancel"),
    "OkCancel": ("OK", None, "Cancel"),
    "Ok": ("OK", None, None),
}
"""The buttons of each type of dialog: affirmative, negative and cancel, if the type has them."""

AskPerson = Callable[[str, tuple[str, ...]], Awaitable[str]]
SendEvent = Callable[[str, Mapping[str, Any]], None]


class WindowDialogs:
    """Shows dialogs for apps; the app receives the result as an event with its token."""

    def __init__(self, ask: AskPerson, send: SendEvent) -> None:
        self._ask = ask
        self._send = send
        self._open: set[asyncio.Task[None]] = set()

    def show(self, window: WindowRecord, options: Mapping[str, Any], peer: str) -> None:
        """Show a dialog. Callers wait for the event only, so it also reports errors."""
        token = options.get("token")
        if not isinstance(token, str) or len(token) > _LONGEST:
            raise DesktopError("token must be text.")
        task = asyncio.create_task(self._shown(window, options, peer, token))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def close(self) -> None:
        """Cancel open dialogs."""
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _shown(self, window: WindowRecord, options: Mapping[str, Any], peer: str, token: str) -> None:
        try:
            question, choices = _dialog(options, open_now=len(self._open))
            names = [*choices.values()]
            answer = await self._ask(question, tuple(reversed(names)))
            button = next((name for name, title in choices.items() if title == answer), "cancel")
            told: dict[str, Any] = {"status": "successful", "result": {"action": "clicked", "button": button}}
        except RostrumError as error:
            told = {"status": "failed", "message": str(error)}
        except Exception:  # noqa: BLE001 - the app waits for the event
            _log.exception("a dialog could not be shown")
            told = {"status": "failed", "message": "The dialog could not be shown."}
        self._send(peer, {"type": "DialogResult", "windowId": window.id, "data": {"token": token, **told}})


def _dialog(options: Mapping[str, Any], *, open_now: int) -> tuple[str, dict[str, str]]:
    if open_now > _MOST_OPEN:
        raise DesktopError(f"{_MOST_OPEN} dialogs are open, which is the limit.")
    kind = options.get("type")
    usual = _KINDS.get(kind) if isinstance(kind, str) else None
    if usual is None:
        raise DesktopError(f"Dialogs of this type are not supported. Use {', '.join(_KINDS)}.")
    choices: dict[str, str] = {}
    for name, title in zip(_BUTTONS, usual, strict=True):
        if title is not None and options.get(f"show{name.capitalize()}Button") is not False:
            written = options.get(f"{name}ButtonName")
            choices[name] = written[:_LONGEST] if isinstance(written, str) and written else title
    if not choices:
        raise DesktopError("The dialog needs a button.")
    texts = [options.get(name) for name in ("messageTitle", "message")]
    return "\n".join(one[:_LONGEST] for one in texts if isinstance(one, str) and one), choices
