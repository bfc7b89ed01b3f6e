"""What a second start does for the person who tried it: the platform that runs already shows itself."""

import asyncio
import logging
from pathlib import Path
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.desktop.key_file import KeyFile
from rostrum.gateway.remote import connected

__all__ = ["notify_running_platform"]

_log = logging.getLogger(__name__)
_TIMEOUT = 5.0
_ALERT: tuple[str, dict[str, str]] = ("Rostrum.Alerts.Show", {"text": "The platform runs already."})
_FOCUS: tuple[str, dict[str, str]] = ("Rostrum.Platform.Focus", {})


async def notify_running_platform(action: Any, user_data: Path) -> None:
    """Do what alreadyRunningAction says: alert shows a message there, silent nothing, anything else brings it forward.

    It is a courtesy: a platform that does not answer changes nothing about who may run.
    """
    if action == "silent":
        return
    method, arguments = _ALERT if action == "alert" else _FOCUS
    try:
        async with asyncio.timeout(_TIMEOUT):
            key = await asyncio.to_thread(KeyFile(user_data).read)
            async with connected(key.address, login=key.user, secret=key.secret, application="rostrum desktop") as peer:
                await peer.join("agm")
                await peer.methods.call(method, arguments)
    except (RostrumError, OSError, TimeoutError) as error:
        _log.info("the platform that runs could not be told of the second start: %s", error)
