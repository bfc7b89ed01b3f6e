"""Responses of a simulated desktop to commands: plausible results, marked as simulated. Nothing is executed."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rostrum.desktop.commands import Handler
from rostrum.desktop.errors import DesktopError

_MOST_NAMES = 100
_LONGEST_FEEDBACK = 500
_LONGEST_INTERVAL_MS = 24 * 60 * 60 * 1000
_LOG_BYTES_PER_DAY = 921_600
_DEFAULT_INTERVAL_MS = 60_000


@dataclass(slots=True, kw_only=True)
class CommandResults:
    """Responds to the commands of one simulated desktop.

    Attributes:
        refresh: Fetches the apps again.
        restart: Ends this session and opens another one, after the response was sent.
        send_feedback: Sends feedback with a description; returns its id.
    """

    commands: tuple[str, ...]
    machine: Mapping[str, Any]
    refresh: Callable[[], None]
    restart: Callable[[], None]
    send_feedback: Callable[[str], Awaitable[str]]
    _interval_ms: int = _DEFAULT_INTERVAL_MS
    _started: float = field(default_factory=time.monotonic)

    def handlers(self) -> dict[str, Handler]:
        """Return a handler for each supported command."""
        known: dict[str, Handler] = {
            "GetSupportedCommands": self._get_supported_commands,
            "GetSystemInfo": self._get_system_info,
            "GetLogs": self._get_logs,
            "SendFeedback": self._send_feedback,
            "Restart": self._restart,
            "ChangeFetchInterval": self._change_fetch_interval,
            "ExecuteCode": self._execute_code,
            "RefreshApps": self._refresh_apps,
            "RestartApps": self._restart_apps,
            "StopApps": self._stop_apps,
        }
        return {name: handler for name, handler in known.items() if name in self.commands}

    async def _get_supported_commands(self, _: Mapping[str, Any]) -> Any:
        return _simulated(commands=list(self.commands))

    async def _get_system_info(self, _: Mapping[str, Any]) -> Any:
        minutes = int(time.monotonic() - self._started) // 60
        facts = {name: self.machine.get(name) for name in ("os", "cpu", "memory")}
        return _simulated(**facts, uptimeMinutes=minutes, memoryUsed=0.41)

    async def _get_logs(self, parameters: Mapping[str, Any]) -> Any:
        days = parameters.get("days", 1)
        if type(days) is not int or not 1 <= days <= 365:
            raise DesktopError("days must be a whole number from 1 to 365")
        return _simulated(files=["application.log", "gateway.log"], bytes=days * _LOG_BYTES_PER_DAY)

    async def _send_feedback(self, parameters: Mapping[str, Any]) -> Any:
        text = str(parameters.get("description") or "Requested by an administrator")[:_LONGEST_FEEDBACK]
        return _simulated(feedback=await self.send_feedback(f"{text} (sent by a simulated desktop)"))

    async def _restart(self, _: Mapping[str, Any]) -> Any:
        self.restart()
        return _simulated(restarted=True)

    async def _change_fetch_interval(self, parameters: Mapping[str, Any]) -> Any:
        wanted = parameters.get("intervalMS")
        if type(wanted) is not int or not 1 <= wanted <= _LONGEST_INTERVAL_MS:
            raise DesktopError(f"intervalMS must be a whole number from 1 to {_LONGEST_INTERVAL_MS}")
        previous, self._interval_ms = self._interval_ms, wanted
        return _simulated(previousMS=previous, intervalMS=wanted)

    async def _execute_code(self, _: Mapping[str, Any]) -> Any:
        raise DesktopError("the code was not run: this desktop is simulated")

    async def _refresh_apps(self, parameters: Mapping[str, Any]) -> Any:
        self.refresh()
        return _simulated(refreshed=_names(parameters))

    async def _restart_apps(self, parameters: Mapping[str, Any]) -> Any:
        return _simulated(restarted=_names(parameters))

    async def _stop_apps(self, parameters: Mapping[str, Any]) -> Any:
        return _simulated(stopped=_names(parameters))


def _simulated(**data: Any) -> dict[str, Any]:
    return {"simulated": True, **data}


def _names(parameters: Mapping[str, Any]) -> list[str]:
    names = parameters.get("apps", [])
    if not isinstance(names, list) or len(names) > _MOST_NAMES or not all(isinstance(name, str) for name in names):
        raise DesktopError(f"apps must be an array of at most {_MOST_NAMES} app names")
    return names
