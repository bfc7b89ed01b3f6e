"""Reads the apps and channels of users from the manager."""

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any

import httpx
import msgspec

from rostrum.agents.profile import Profile, ProfileUnavailable, channel_definitions
from rostrum.base.signal import Signal
from rostrum.fdc3 import Directory
from rostrum.gateway.authentication import CannotCheck
from rostrum.gateway.manager_check import ManagerCheck

_MOST_SHARED = 100
_COLORS = ("red", "orange", "yellow", "green", "cyan", "blue", "magenta", "purple")
RECOMMENDED_CHANNELS = tuple(
    {
        "name": f"Channel {number}",
        "meta": {
            "color": color,
            "fdc3": {"id": f"fdc3.channel.{number}", "displayMetadata": {"name": f"Channel {number}", "color": color}},
        },
    }
    for number, color in enumerate(_COLORS, 1)
)
"""The user channels that FDC3 recommends, for users whose configuration defines no channels."""


class ManagerProfiles:
    """Reads profiles from the manager on behalf of connected users."""

    def __init__(self, manager: ManagerCheck) -> None:
        self.changed: Signal[str] = manager.changed
        self._manager = manager
        # Users with the same apps share one directory, which is the largest part of an idle agent.
        self._directories: dict[bytes, Directory] = {}

    async def read(self, user: str) -> Profile:
        """Request the app directory and the configuration of a user."""
        headers = self._manager.headers_of(user)
        if headers is None:
            raise ProfileUnavailable("The user is no longer signed in")
        apps, files = await asyncio.gather(
            self._ask("/v2/apps", headers), self._ask("/systemConfig/get?configs=system.json,channels.json", headers)
        )
        return Profile(self._directory(apps), channel_definitions(_channels(_decode(files)) or RECOMMENDED_CHANNELS))

    async def _ask(self, path: str, headers: Mapping[str, str]) -> bytes:
        try:
            answer = await self._manager.ask("GET", path, headers)
        except CannotCheck:
            raise ProfileUnavailable("The manager cannot be reached. Try again later") from None
        if answer.status_code != httpx.codes.OK:
            raise ProfileUnavailable(
                f"The manager responded with status {answer.status_code} to {path.partition('?')[0]}"
            )
        return answer.content

    def _directory(self, text: bytes) -> Directory:
        key = hashlib.sha256(text).digest()
        found = self._directories.pop(key, None)
        if found is None:
            records = _decode(text).get("applications")
            listed = records if isinstance(records, list) else []
            found = Directory([one for one in listed if isinstance(one, dict)])
        self._directories[key] = found
        if len(self._directories) > _MOST_SHARED:
            del self._directories[next(iter(self._directories))]
        return found


def _decode(text: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        raise ProfileUnavailable("The answer of the manager cannot be read") from None


def _channels(files: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Collect the channels of channels.json and of the settings, which replace those of the file."""
    document = _contents(files, "channels.json")
    listed = document
    if isinstance(document, dict):
        listed = document.get("definitions") or document.get("channels")
    section = _contents(files, "system.json")
    settings = section.get("channels") if isinstance(section, dict) else None
    of_settings = settings.get("definitions") if isinstance(settings, dict) else None
    found: dict[str, dict[str, Any]] = {}
    for one in (*_items(listed), *_items(of_settings)):
        if isinstance(one, dict) and isinstance(one.get("name"), str):
            found[one["name"]] = one
    return list(found.values())


def _contents(files: Mapping[str, Any], name: str) -> Any:
    file = files.get(name)
    return file.get("contents") if isinstance(file, dict) else None


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
