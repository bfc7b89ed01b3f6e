"""Handlers of the manager's commands."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.commands import Handler
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.modes import Feature, require, supports
from rostrum.desktop.services.control import PlatformControl
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.layouts import LayoutService
from rostrum.settings.scope import Mode
from rostrum.settings.settings import Settings
from rostrum.stores.layouts.store import LayoutKey

COMMANDS = ("Restart", "Shutdown", "SendFeedback", "StartApps", "StopApps", "RestoreLayout", "Refresh")


def takes_commands(settings: Settings) -> bool:
    """Return whether commands of the manager are executed."""
    return settings.commands.enabled and settings.server.features.commands


def supported_commands(mode: Mode) -> tuple[str, ...]:
    """Return the commands that a platform reports to the manager as supported; others are rejected."""
    has_feedback = supports(mode, Feature.SEND_FEEDBACK)
    return tuple(name for name in COMMANDS if name != "SendFeedback" or has_feedback)


def command_handlers(
    mode: Mode, control: PlatformControl, instances: Instances, layouts: LayoutService
) -> dict[str, Handler]:
    """Return a handler for each command."""

    async def end(_: Mapping[str, Any]) -> Any:
        control.shutdown.request()
        return {}

    async def restart(_: Mapping[str, Any]) -> Any:
        control.shutdown.request(restart=True)
        return {}

    async def send_feedback(parameters: Mapping[str, Any]) -> Any:
        require(mode, Feature.SEND_FEEDBACK)
        text = str(parameters.get("description") or "requested by the manager")
        return {"feedback": await control.send_feedback(text)}

    async def start_apps(parameters: Mapping[str, Any]) -> Any:
        return {"instances": [(await instances.start(name)).id for name in _names(parameters)]}

    async def stop_apps(parameters: Mapping[str, Any]) -> Any:
        wanted = set(_names(parameters))
        stopped = [one.id for one in instances.all if one.app in wanted]
        for instance in stopped:
            await instances.stop(instance)
        return {"instances": stopped}

    async def restore(parameters: Mapping[str, Any]) -> Any:
        name = parameters.get("name")
        if not isinstance(name, str):
            raise DesktopError("name must be the name of a layout")
        return {"notes": [*await layouts.restore(LayoutKey(str(parameters.get("type") or "Global"), name))]}

    async def refresh(_: Mapping[str, Any]) -> Any:
        await control.refresh()
        return {}

    handlers = (restart, end, send_feedback, start_apps, stop_apps, restore, refresh)
    return dict(zip(COMMANDS, handlers, strict=True))


def _names(parameters: Mapping[str, Any]) -> list[str]:
    names = parameters.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DesktopError("names must be an array of app names")
    return names
