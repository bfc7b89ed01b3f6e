"""The layouts that are available to a user, by ID, and changes of the user's personal layouts."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rostrum.base import json_text
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.reasons import default_layout
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.errors import Conflict, Forbidden, NotFound
from rostrum.manager.layouts.model import Layout, LayoutAccess
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.layouts.service import LayoutService, evaluated_layouts, served_definitions
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.storage import Storage, Work


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLayout:
    """A layout that is available to the caller.

    Attributes:
        definition: The JSON text.
        is_default: Whether it is the default of the caller.

    """

    id: str
    name: str
    type: str
    owner: str
    definition: str
    is_default: bool


class OwnLayoutService:
    """Layouts of a user by ID. No operation requires a right or changes a shared layout."""

    def __init__(self, storage: Storage, layouts: LayoutService, quotas: Quotas) -> None:
        self._storage = storage
        self._layouts = layouts
        self._quotas = quotas

    async def visible(self, identity: Identity) -> list[OwnLayout]:
        """Read the layouts that are available to the caller."""
        async with self._storage.read() as work:
            return await _visible(work, identity)

    async def save(self, identity: Identity, definition: dict[str, Any]) -> OwnLayout:
        """Create or replace a personal layout of the caller, by type and name."""
        await self._layouts.save(identity, definition)
        kind, name = definition["type"], definition["name"]
        async with self._storage.read() as work:
            for layout in await _visible(work, identity, kind=kind, name=name):
                return layout
        raise NotFound("layout", f"{name} ({kind})")

    @prepares_audit
    async def rename(self, identity: Identity, layout_id: str, new_name: str) -> OwnLayout:
        """Rename a personal layout of the caller."""
        async with self._storage.write(identity.user) as work:
            before = await _require_own(work, identity, layout_id)
            kind, name = before.type, before.name
            if new_name != name:
                if await work.of(Layouts).find(owner=identity.user, kind=kind, name=new_name) is not None:
                    raise Conflict(f"you have a {kind} layout {new_name!r} already")
                if await work.of(Layouts).get_default(identity.user) == (kind, name):
                    await work.of(Layouts).set_default(identity.user, (kind, new_name))
                definition = {**json_text.parse(before.definition), "name": new_name}
                text = json_text.dump(definition).decode()
                after = replace(before, name=new_name, definition=text, stamp=work.stamp(before.stamp))
                await self._layouts.require_room(work, before, after)
                await work.of(Layouts).put(after)
            for layout in await _visible(work, identity, kind=kind, name=new_name):
                return layout
        raise NotFound("layout", layout_id)

    @prepares_audit
    async def remove(self, identity: Identity, layout_id: str) -> None:
        """Delete a personal layout of the caller."""
        async with self._storage.write(identity.user) as work:
            layout = await _require_own(work, identity, layout_id)
            self._quotas.limit_history(work, identity.user)
            await _remove(work, identity, [layout])

    @prepares_audit
    async def remove_all(self, identity: Identity) -> list[OwnLayout]:
        """Delete all personal layouts of the caller, and return the remaining shared ones."""
        async with self._storage.write(identity.user) as work:
            self._quotas.limit_history(work, identity.user)
            await _remove(work, identity, await work.of(Layouts).of_owner(identity.user))
            return await _visible(work, identity)

    async def get_default(self, identity: Identity) -> OwnLayout | None:
        """Read the default layout of the caller."""
        return next((layout for layout in await self.visible(identity) if layout.is_default), None)

    @prepares_audit
    async def set_default(self, identity: Identity, layout_id: str | None) -> OwnLayout | None:
        """Set the default layout of the caller, or clear it."""
        async with self._storage.write(identity.user) as work:
            if layout_id is None:
                await work.of(Layouts).set_default(identity.user, None)
                return None
            chosen = next((layout for layout in await _visible(work, identity) if layout.id == layout_id), None)
            if chosen is None:
                raise NotFound("layout", layout_id)
            await work.of(Layouts).set_default(identity.user, (chosen.type, chosen.name))
            return replace(chosen, is_default=True)


async def _visible(
    work: Work, identity: Identity, *, kind: str | None = None, name: str | None = None
) -> list[OwnLayout]:
    evaluated = await evaluated_layouts(work, identity)
    default = default_layout(evaluated, await work.of(Layouts).get_default(identity.user))
    first = None if default is None else (default.type, default.name)
    found: list[LayoutAccess] = [
        layout
        for layout, verdict in evaluated
        if verdict.visible and kind in (None, layout.type) and name in (None, layout.name)
    ]
    texts = await served_definitions(work, identity, found)
    return [
        OwnLayout(
            id=layout.id,
            name=layout.name,
            type=layout.type,
            owner=layout.owner,
            definition=text,
            is_default=(layout.type, layout.name) == first,
        )
        for layout, text in zip(found, texts, strict=True)
    ]


async def _require_own(work: Work, identity: Identity, layout_id: str) -> Layout:
    """Read a personal layout of the caller; shared ones are refused, and unavailable ones are not found."""
    layout = await work.of(Layouts).get(layout_id)
    if layout is not None and layout.owner == identity.user:
        return layout
    for shared in await _visible(work, identity):
        if shared.id == layout_id:
            raise Forbidden(f"the {shared.type} layout {shared.name!r} is shared: only an administrator can change it")
    raise NotFound("layout of yours", layout_id)


async def _remove(work: Work, identity: Identity, layouts: Iterable[Layout]) -> None:
    chosen = await work.of(Layouts).get_default(identity.user)
    for layout in layouts:
        await work.of(Layouts).remove(layout.id)
        if chosen == (layout.type, layout.name):
            await work.of(Layouts).set_default(identity.user, None)
