"""The layouts of the store, with change events."""

from collections.abc import Mapping, Sequence
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.instances import Instance
from rostrum.desktop.services.layout_components import component_type
from rostrum.desktop.services.layout_records import GLOBAL, LayoutsChanged
from rostrum.stores.layouts.store import Layout, LayoutKey, LayoutStore, no_such_layout

_DEFAULT = "ApplicationDefault"


class StoredLayouts:
    """The layouts of the store, whether they are shown or not.

    Attributes:
        stored: Emitted when layouts were added, changed, removed or renamed, by any client.
        default_changed: Emitted with the layout that is restored at start-up; None for none.
    """

    def __init__(self, store: LayoutStore) -> None:
        self.stored: Signal[LayoutsChanged] = Signal()
        self.default_changed: Signal[LayoutKey | None] = Signal()
        self._store = store
        self._known = (dict(store.layouts()), store.default())
        self._is_renaming = False
        store.changed.connect(lambda _: self._compare())

    @property
    def default(self) -> LayoutKey | None:
        """Return the layout that is restored when the platform starts."""
        return self._store.default()

    def get(self, key: LayoutKey) -> Layout:
        """Return a stored layout."""
        layout = self._store.layouts().get(key)
        if layout is None:
            raise DesktopError(no_such_layout(key, self._store.layouts()))
        return layout

    def export(self, kind: str | None = None) -> list[Layout]:
        """Return the layouts, all or of one type."""
        return [layout for key, layout in self._store.layouts().items() if kind is None or key.type == kind]

    async def import_all(self, layouts: Sequence[Layout], *, replace: bool) -> int:
        """Import layouts; without ``replace``, existing ones are kept."""
        known = self._store.layouts()
        wanted = [one for one in layouts if replace or LayoutKey.of(one) not in known]
        for layout in wanted:
            await self._store.save(layout)
        return len(wanted)

    async def import_each(self, layouts: Sequence[Layout]) -> list[tuple[Layout, str]]:
        """Import layouts one by one; return those that cannot be saved, with the reasons."""
        failed: list[tuple[Layout, str]] = []
        for layout in layouts:
            try:
                await self._store.save(layout)
            except RostrumError as error:
                failed.append((layout, str(error)))
        return failed

    async def rename(self, key: LayoutKey, new_name: str) -> None:
        """Rename a layout."""
        # The store adds one layout and removes another; this is reported as one change.
        self._is_renaming = True
        try:
            await self._store.rename(key, new_name)
        finally:
            self._is_renaming = False
            self._compare(renamed=(key, new_name))

    async def remove(self, key: LayoutKey) -> bool:
        """Remove a layout; return whether it existed."""
        is_known = key in self._store.layouts()
        await self._store.remove(key)
        return is_known

    async def set_default(self, key: LayoutKey | None) -> None:
        """Set the layout that is restored at start-up."""
        if key is not None and key.type != GLOBAL:
            raise DesktopError("only a Global layout can be the default")
        await self._store.set_default(key)
        self._compare()

    async def refresh(self) -> None:
        """Read the stored layouts again."""
        await self._store.refresh()

    async def update_metadata(self, key: LayoutKey, metadata: Mapping[str, Any]) -> None:
        """Replace the metadata of a layout."""
        await self._store.save({**self.get(key), "metadata": dict(metadata)})

    async def set_default_context(self, instance: Instance, context: Mapping[str, Any]) -> None:
        """Store the context with which the app of an instance starts by default."""
        if _has_no_default(instance.definition):
            raise DesktopError(f"the definition of {instance.app} sets ignoreSavedLayout: it has no default context")
        known = self._store.layouts().get(LayoutKey(_DEFAULT, instance.app), {})
        component = _first_component(known) or {
            "type": component_type(instance),
            "application": instance.app,
            "componentType": "application",
        }
        component = {**component, "state": {**(component.get("state") or {}), "context": dict(context)}}
        await self._store.save({**known, "name": instance.app, "type": _DEFAULT, "components": [component]})

    def default_context(self, definition: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the default context of an app."""
        if _has_no_default(definition):
            return {}
        key = LayoutKey(_DEFAULT, str(definition.get("name")))
        component = _first_component(self._store.layouts().get(key, {})) or {}
        state = component.get("state")
        context = state.get("context") if isinstance(state, Mapping) else None
        return context if isinstance(context, Mapping) else {}

    def _compare(self, renamed: tuple[LayoutKey, str] | None = None) -> None:
        """Compare the stored layouts with their last state, and report changes."""
        if self._is_renaming:
            return
        (before, default), now = self._known, dict(self._store.layouts())
        self._known = (now, self._store.default())
        new = None if renamed is None else LayoutKey(renamed[0].type, renamed[1])
        if renamed is not None and (renamed[0] not in before or new not in now):
            renamed = new = None
        change = LayoutsChanged(
            added=tuple(one for key, one in now.items() if key not in before and key != new),
            changed=tuple(one for key, one in now.items() if key in before and before[key] != one),
            removed=tuple(key for key in before if key not in now and (renamed is None or key != renamed[0])),
            renamed=renamed,
        )
        if change != LayoutsChanged():
            self.stored.emit(change)
        if self._known[1] != default:
            self.default_changed.emit(self._known[1])


def _has_no_default(definition: Mapping[str, Any]) -> bool:
    return bool(definition.get("ignoreSavedLayout") or definition.get("ignoreSaveOnClose"))


def _first_component(layout: Mapping[str, Any]) -> Mapping[str, Any] | None:
    components = layout.get("components")
    first = components[0] if isinstance(components, list) and components else None
    return first if isinstance(first, Mapping) else None
