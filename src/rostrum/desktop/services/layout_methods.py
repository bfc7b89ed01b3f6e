"""Layouts on the gateway."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.arguments import text
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.layouts import RESTORE, LayoutService, key_of
from rostrum.desktop.services.methods import method
from rostrum.stores.layouts.store import LayoutKey


class LayoutMethods:
    """Layout methods on the gateway."""

    def __init__(self, layouts: LayoutService) -> None:
        self._layouts = layouts

    @method("Rostrum.Layouts.List")
    async def list_all(self, arguments: Mapping[str, Any]) -> Any:
        """List the layouts, all or of one type."""
        default = self._layouts.default
        return {
            "layouts": [
                {"name": one["name"], "type": one["type"]} | ({"default": True} if LayoutKey.of(one) == default else {})
                for one in self._layouts.export(arguments.get("type"))
            ]
        }

    @method("Rostrum.Layouts.Save")
    async def save(self, arguments: Mapping[str, Any]) -> Any:
        """Save the running apps as a Global layout."""
        layout = await self._layouts.save(
            text(arguments, "name"), context=arguments.get("context"), metadata=arguments.get("metadata")
        )
        return {"layout": dict(layout)}

    # Intercepted where layouts are restored, like restores at the start and by the manager.
    @method(RESTORE, intercepted_here=False)
    async def restore(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Restore a layout."""
        return {"notes": [*await self._layouts.restore(key_of(arguments), caller=caller.peer)]}

    @method("Rostrum.Layouts.Rename")
    async def rename(self, arguments: Mapping[str, Any]) -> Any:
        """Rename a layout."""
        await self._layouts.rename(key_of(arguments), text(arguments, "newName"))
        return {}

    @method("Rostrum.Layouts.Remove")
    async def remove(self, arguments: Mapping[str, Any]) -> Any:
        """Remove a layout."""
        return {"removed": await self._layouts.remove(key_of(arguments))}

    @method("Rostrum.Layouts.SetDefault")
    async def set_default(self, arguments: Mapping[str, Any]) -> Any:
        """Set the layout that is restored when the platform starts, or none."""
        await self._layouts.set_default(key_of(arguments) if arguments.get("name") else None)
        return {}

    @method("Rostrum.Layouts.Hibernate")
    async def hibernate(self, arguments: Mapping[str, Any]) -> Any:
        """Save a layout and close its apps."""
        done = await self._layouts.hibernate(key_of(arguments))
        return {"closed": [*done.closed], "open": [*done.open]}

    @method("Rostrum.Layouts.Export")
    async def export(self, arguments: Mapping[str, Any]) -> Any:
        """Return complete layouts."""
        return {"layouts": [dict(one) for one in self._layouts.export(arguments.get("type"))]}

    @method("Rostrum.Layouts.Import")
    async def import_(self, arguments: Mapping[str, Any]) -> Any:
        """Import layouts; with mode merge, existing ones are kept."""
        layouts = arguments.get("layouts")
        if not isinstance(layouts, list):
            raise DesktopError("layouts must be an array of layouts")
        return {"imported": await self._layouts.import_all(layouts, replace=arguments.get("mode") != "merge")}
