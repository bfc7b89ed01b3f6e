"""What the platform does for each command of the manager."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rostrum.desktop.commands import Handler
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.modes import Feature, require, supports
from rostrum.desktop.services.methods import restore_layout
from rostrum.settings.scope import Mode
from rostrum.stores.layouts.store import LayoutKey

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["COMMANDS", "command_handlers", "supported_commands"]

COMMANDS = ("Restart", "Shutdown", "SendFeedback", "StartApps", "StopApps", "RestoreLayout", "Refresh")


def supported_commands(mode: Mode) -> tuple[str, ...]:
    """Name the commands that a platform announces to the manager; the others are refused."""
    has_feedback = supports(mode, Feature.SEND_FEEDBACK)
    return tuple(name for name in COMMANDS if name != "SendFeedback" or has_feedback)


def command_handlers(platform: "Platform") -> dict[str, Handler]:
    """Return a handler for each command this platform knows."""

    async def end(_: Mapping[str, Any]) -> Any:
        platform.ask_to_stop()
        return {}

    async def restart(_: Mapping[str, Any]) -> Any:
        platform.ask_to_stop(restart=True)
        return {}

    async def send_feedback(parameters: Mapping[str, Any]) -> Any:
        require(platform.mode, Feature.SEND_FEEDBACK)
        text = str(parameters.get("description") or "asked for by the manager")
        return {"feedback": await platform.send_feedback(text)}

    async def start_apps(parameters: Mapping[str, Any]) -> Any:
        return {"instances": [(await platform.instances.start(name)).id for name in _names(parameters)]}

    async def stop_apps(parameters: Mapping[str, Any]) -> Any:
        wanted = set(_names(parameters))
        stopped = [one.id for one in platform.instances.all if one.app in wanted]
        for instance in stopped:
            await platform.instances.stop(instance)
        return {"instances": stopped}

    async def restore(parameters: Mapping[str, Any]) -> Any:
        name = parameters.get("name")
        if not isinstance(name, str):
            raise DesktopError("name must be the name of a layout")
        return {"notes": await restore_layout(platform, LayoutKey(str(parameters.get("type") or "Global"), name))}

    async def refresh(_: Mapping[str, Any]) -> Any:
        await platform.refresh()
        return {}

    handlers = (restart, end, send_feedback, start_apps, stop_apps, restore, refresh)
    return dict(zip(COMMANDS, handlers, strict=True))


def _names(parameters: Mapping[str, Any]) -> list[str]:
    names = parameters.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DesktopError("names must be an array of app names")
    return names
