"""GroupMethods: groups of windows on the gateway."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rostrum.desktop.arguments import choice, text
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.methods import method
from rostrum.desktop.windows.geometry import Side
from rostrum.desktop.windows.groups import WindowGroup

__all__ = ["GroupMethods"]

_SIDES: tuple[Side, ...] = ("right", "left", "top", "bottom")


class GroupMethods:
    """What peers call to group windows."""

    def __init__(self, groups: WindowGroups) -> None:
        """Take the groups."""
        self._groups = groups

    @method("Rostrum.Groups.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the groups with their windows."""
        return {"groups": [_view(one) for one in self._groups.all]}

    @method("Rostrum.Groups.Join")
    async def join(self, arguments: Mapping[str, Any]) -> Any:
        """Put a window beside another, and both into one group."""
        side = choice(arguments, "side", _SIDES)
        return _view(await self._groups.join(text(arguments, "instance"), text(arguments, "to"), side))

    @method("Rostrum.Groups.Leave")
    async def leave(self, arguments: Mapping[str, Any]) -> Any:
        """Take a window out of its group."""
        await self._groups.leave(text(arguments, "instance"))
        return {}

    @method("Rostrum.Groups.Rename")
    async def rename(self, arguments: Mapping[str, Any]) -> Any:
        """Give a group another title."""
        await self._groups.rename(text(arguments, "group"), text(arguments, "title"))
        return {}

    @method("Rostrum.Windows.Stick")
    async def stick(self, arguments: Mapping[str, Any]) -> Any:
        """Let a window take part in groups, or not."""
        sticky = arguments.get("sticky", True)
        await self._groups.set_sticky(text(arguments, "instance"), sticky=sticky is True)
        return {}


def _view(group: WindowGroup) -> dict[str, Any]:
    windows = [{"instance": instance, "bounds": asdict(bounds)} for instance, bounds in group.windows.items()]
    return {"id": group.id, "type": group.type, "title": group.title, "windows": windows}
