"""Layouts: personal ones, shared ones, and the default."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.ids import new_id
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.contracts.layout_entries import LayoutChange, LayoutEntry, LayoutImport, LayoutRemoval
from rostrum.contracts.validation_messages import under
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.access.reasons import Verdict, Viewer, default_layout, evaluate_layouts
from rostrum.manager.audiences import COMMON
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Expected, Forbidden, NotFound, found, same_revision
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.restore import DocumentService, member_text, stamp_after
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.guard import check_layout
from rostrum.manager.layouts.model import Layout, LayoutAccess
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.quotas.repository import Amount, Usage
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.rollouts.serving import candidates
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.desktop_guard import DesktopGuard
from rostrum.manager.users.repository import Users

_BULK_ID = re.compile(r"(?P<name>.+) \((?P<type>[^()]*)\)", re.DOTALL)


class LayoutService(DocumentService):
    """The layout store."""

    kind = Kind.LAYOUT

    def __init__(self, storage: Storage, quotas: Quotas) -> None:
        self._storage = storage
        self._quotas = quotas

    async def visible(self, identity: Identity) -> list[str]:
        """Read the definitions of the available layouts, as JSON texts."""
        async with self._storage.read() as work:
            return await served_definitions(work, identity, await _visible(work, identity))

    async def save(self, identity: Identity, definition: dict[str, Any]) -> None:
        """Create or replace a personal layout of the caller."""
        checked = await _checked(definition, "layout")
        self._quotas.require_size(checked.size)
        await self._save(identity, checked)

    @prepares_audit
    async def _save(self, identity: Identity, definition: "_Checked") -> None:
        async with self._storage.write(identity.user) as work:
            before = await work.of(Layouts).find(owner=identity.user, kind=definition.type, name=definition.name)
            if before is None:
                after = _layout(work, identity.user, definition, public=False, access=())
            else:
                after = replace(definition.put_into(before), stamp=work.stamp(before.stamp))
            await self.require_room(work, before, after)
            await (work.of(Layouts).add if before is None else work.of(Layouts).put)(after)

    async def rename(self, identity: Identity, definition: dict[str, Any], new_name: str) -> None:
        """Rename a personal layout of the caller, and store the content that is sent."""
        name = (await _checked(definition, "layout")).name
        renamed = await _checked({**definition, "name": new_name}, "layout")
        self._quotas.require_size(renamed.size)
        await self._rename(identity, name, renamed)

    @prepares_audit
    async def _rename(self, identity: Identity, name: str, renamed: "_Checked") -> None:
        kind, new_name = renamed.type, renamed.name
        async with self._storage.write(identity.user) as work:
            before = await work.of(Layouts).find(owner=identity.user, kind=kind, name=name)
            if before is None:
                raise NotFound("layout of yours", f"{name} ({kind})")
            if new_name != name:
                taken = await work.of(Layouts).find(owner=identity.user, kind=kind, name=new_name)
                if taken is not None:
                    raise Conflict(f"you have a {kind} layout {new_name!r} already")
                if await work.of(Layouts).get_default(identity.user) == (kind, name):
                    await work.of(Layouts).set_default(identity.user, (kind, new_name))
            after = replace(renamed.put_into(before), stamp=work.stamp(before.stamp))
            await self.require_room(work, before, after)
            await work.of(Layouts).put(after)

    async def require_room(self, work: Work, before: Layout | None, after: Layout) -> None:
        """Refuse to exceed the quotas of the owner of a layout."""
        used = await work.of(Usage).layouts(after.owner)
        freed = 0 if before is None else len(before.definition.encode())
        wanted = Amount(used.count + (before is None), used.bytes - freed + len(after.definition.encode()))
        self._quotas.require_amount("layouts", "layoutBytes", used=used, wanted=wanted)
        self._quotas.limit_history(work, after.owner)

    @prepares_audit
    async def remove_own(self, identity: Identity, body: LayoutRemoval) -> None:
        """Delete personal layouts of the caller; missing ones count as deleted."""
        wanted = _wanted(body)
        async with self._storage.write(identity.user) as work:
            visible = {(layout.type, layout.name): layout for layout in await _visible(work, identity)}
            own = {(layout.type, layout.name): layout for layout in await work.of(Layouts).of_owner(identity.user)}
            chosen = await work.of(Layouts).get_default(identity.user)
            self._quotas.limit_history(work, identity.user)
            for kind, name in dict.fromkeys(wanted):
                layout = own.get((kind, name))
                if layout is not None:
                    await work.of(Layouts).remove(layout.id)
                    if chosen == (kind, name):
                        await work.of(Layouts).set_default(identity.user, None)
                elif (kind, name) in visible:
                    raise Forbidden(f"the {kind} layout {name!r} is shared: only an administrator can remove it")

    async def get_default(self, identity: Identity) -> tuple[str, str] | None:
        """Return type and name of the caller's default layout: the selected one, or the common default."""
        async with self._storage.read() as work:
            evaluated = await evaluated_layouts(work, identity)
            chosen = default_layout(evaluated, await work.of(Layouts).get_default(identity.user))
        return None if chosen is None else (chosen.type, chosen.name)

    @prepares_audit
    async def set_default(self, identity: Identity, *, name: str | None, kind: str | None) -> None:
        """Set the default layout of the caller, or clear it."""
        async with self._storage.write(identity.user) as work:
            if name is None and kind is None:
                await work.of(Layouts).set_default(identity.user, None)
                return
            if name is None:
                raise Invalid(
                    "the layout is not specified", [Problem(path="name", message="send name and type, or neither")]
                )
            wanted = (kind or "Global", name)
            if all((layout.type, layout.name) != wanted for layout in await _visible(work, identity)):
                raise NotFound("layout", f"{name} ({wanted[0]})")
            await work.of(Layouts).set_default(identity.user, wanted)

    async def page(self, identity: Identity, query: Query) -> Page[Layout]:
        require(identity, Permission.LAYOUTS_READ)
        async with self._storage.read() as work:
            return await work.of(Layouts).page(query)

    async def get(self, identity: Identity, layout_id: str) -> Layout:
        require(identity, Permission.LAYOUTS_READ)
        async with self._storage.read() as work:
            return found(await work.of(Layouts).get(layout_id), "layout", layout_id)

    async def create(self, identity: Identity, body: LayoutEntry) -> Layout:
        """Create a layout for one user or for all users."""
        require(identity, Permission.LAYOUTS_WRITE)
        return await self._create(identity, body, await _checked(body.definition, "definition"))

    @prepares_audit
    async def _create(self, identity: Identity, body: LayoutEntry, definition: "_Checked") -> Layout:
        async with self._storage.write(identity.user) as work:
            layout = replace(
                _layout(work, body.owner, definition, public=body.public, access=body.access_list),
                default=body.default,
                disabled=body.disabled,
            )
            await save_layout(work, identity, None, layout)
            return found(await work.of(Layouts).get(layout.id), "layout", layout.id)

    async def replace(self, identity: Identity, layout_id: str, body: LayoutEntry, expected: Expected = None) -> Layout:
        given = {field: getattr(body, field) for field in LayoutEntry.model_fields}
        return await self.change(identity, layout_id, LayoutChange.model_construct(set(given), **given), expected)

    async def change(self, identity: Identity, layout_id: str, body: LayoutChange, expected: Expected = None) -> Layout:
        """Change the members that were sent."""
        require(identity, Permission.LAYOUTS_WRITE)
        given = body.given()
        definition = await _checked(given["definition"], "definition") if "definition" in given else None
        return await self._change(identity, layout_id, given, definition, expected)

    @prepares_audit
    async def _change(
        self,
        identity: Identity,
        layout_id: str,
        given: dict[str, Any],
        definition: "_Checked | None",
        expected: Expected,
    ) -> Layout:
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(Layouts).get(layout_id), "layout", layout_id)
            same_revision(expected, before.stamp.revision, "layout", layout_id)
            after = replace(
                before,
                owner=given.get("owner", before.owner),
                public=given.get("public", before.public),
                access=tuple(given.get("access_list", before.access)),
                default=given.get("default", before.default),
                disabled=given.get("disabled", before.disabled),
                stamp=work.stamp(before.stamp),
            )
            if definition is not None:
                after = definition.put_into(after)
            await save_layout(work, identity, before, after)
            return found(await work.of(Layouts).get(layout_id), "layout", layout_id)

    @prepares_audit
    async def remove(self, identity: Identity, layout_id: str, expected: Expected = None) -> None:
        require(identity, Permission.LAYOUTS_WRITE)
        async with self._storage.write(identity.user) as work:
            layout = found(await work.of(Layouts).get(layout_id), "layout", layout_id)
            same_revision(expected, layout.stamp.revision, "layout", layout_id)
            await work.of(Layouts).remove(layout_id)

    async def import_all(self, identity: Identity, body: LayoutImport) -> tuple[list[str], list[str]]:
        """Store many layouts, all or none; return the new and the replaced ones."""
        require(identity, Permission.LAYOUTS_WRITE)
        definitions = await offload(len(json_text.dump(body.layouts)), _checked_all, body.layouts)
        return await self._import_all(identity, body, definitions)

    @prepares_audit
    async def _import_all(
        self, identity: Identity, body: LayoutImport, definitions: "list[_Checked]"
    ) -> tuple[list[str], list[str]]:
        created: list[str] = []
        replaced: list[str] = []
        async with self._storage.write(identity.user) as work:
            await _require_owner(work, body.owner)
            guard = DesktopGuard(work, identity)
            for definition in definitions:
                name, kind = definition.name, definition.type
                before = await work.of(Layouts).find(owner=body.owner, kind=kind, name=name)
                if before is None:
                    layout = _layout(work, body.owner, definition, public=body.public, access=body.access_list)
                    await check_layout(guard, layout)
                    await work.of(Layouts).add(layout)
                    created.append(f"{name} ({kind})")
                else:
                    after = replace(definition.put_into(before), stamp=work.stamp(before.stamp))
                    await check_layout(guard, before)
                    await work.of(Layouts).put(after)
                    replaced.append(f"{name} ({kind})")
            if replaced and not body.overwrite:
                raise Conflict(
                    f"these layouts already exist: {', '.join(replaced[:20])}; set overwrite to replace them"
                )
            await work.of(Groups).add_missing(body.access_list, work.stamp())
        return created, replaced

    @staticmethod
    async def restore(work: Work, identity: Identity, key: str, body: str | None) -> None:
        """Restore a layout with its owner and access list."""
        before = await work.of(Layouts).get(key)
        if body is None:
            await work.of(Layouts).remove(key)
            return
        members = json_text.parse(body)
        bare = Layout(
            id=key,
            name="",
            type="",
            owner=members["owner"],
            definition="",
            public=members["public"],
            access=tuple(members["accessList"]),
            default=members["default"],
            disabled=members["disabled"],
            stamp=stamp_after(work, before),
        )
        after = layout_with_definition(bare, members["definition"])
        await save_layout(work, identity, before, replace(after, definition=member_text(body, "definition")))

    @staticmethod
    async def release_name(work: Work, key: str) -> None:
        """Release owner and name of a layout."""
        if layout := await work.of(Layouts).get(key):
            await work.of(Layouts).put(replace(layout, owner="", name=key))


async def save_layout(work: Work, identity: Identity, before: Layout | None, after: Layout) -> None:
    """Store a new or changed layout. Its owner exists and has no other one of the same type and name."""
    if before is None or after.owner != before.owner:
        await _require_owner(work, after.owner)
    await check_layout(DesktopGuard(work, identity), *(() if before is None else (before,)), after)
    await _refuse_twin(work, after)
    await (work.of(Layouts).add if before is None else work.of(Layouts).put)(after)
    await work.of(Groups).add_missing(after.access, work.stamp())


async def evaluated_layouts(work: Work, identity: Identity) -> list[tuple[LayoutAccess, Verdict]]:
    """Determine the layouts that are available to the caller."""
    given = await work.of(Users).layouts_of(identity.user)
    viewer = Viewer(user=identity.user, groups=identity.groups, layouts=given)
    return evaluate_layouts(viewer, await work.of(Layouts).access(identity.user))


async def served_definitions(work: Work, identity: Identity, layouts: Sequence[LayoutAccess]) -> list[str]:
    """Read the definitions of layouts, in the version that the caller receives."""
    texts = await work.of(Layouts).definitions(layout.id for layout in layouts)
    new = await candidates(work, layouts, identity.user, identity.groups)
    return [new.get(layout.id, text) for layout, text in zip(layouts, texts, strict=True)] if new else texts


async def _visible(work: Work, identity: Identity) -> list[LayoutAccess]:
    return [layout for layout, verdict in await evaluated_layouts(work, identity) if verdict.visible]


def _layout(work: Work, owner: str, definition: "_Checked", *, public: bool, access: Iterable[str]) -> Layout:
    bare = Layout(
        id=new_id(),
        name="",
        type="",
        owner=owner,
        definition="",
        public=public,
        access=tuple(access),
        stamp=work.stamp(),
    )
    return definition.put_into(bare)


def layout_with_definition(layout: Layout, definition: dict[str, Any]) -> Layout:
    """Replace the definition of a layout, and its type and name."""
    return replace(
        layout,
        name=definition["name"],
        type=definition["type"],
        definition=json_text.dump(definition).decode(),
    )


async def _require_owner(work: Work, owner: str) -> None:
    if owner != COMMON and await work.of(Users).login(owner) is None:
        message = f"there is no user {owner!r}; use * for a layout that belongs to all"
        raise Invalid("unknown owner", [Problem(path="owner", message=message)])


async def _refuse_twin(work: Work, layout: Layout) -> None:
    twin = await work.of(Layouts).find(owner=layout.owner, kind=layout.type, name=layout.name)
    if twin is not None and twin.id != layout.id:
        raise Conflict(f"{layout.owner!r} has a {layout.type} layout {layout.name!r} already")


def checked_definition(definition: Any, path: str) -> dict[str, Any]:
    """Refuse an invalid definition, and list all problems; a valid one is stored unchanged."""
    problems = _problems(definition, path)
    if problems:
        raise Invalid("the layout has problems", problems)
    checked: dict[str, Any] = definition
    return checked


class _Checked(Struct, frozen=True):
    """A valid definition, serialized once before the transaction, so that other writers do not wait for it.

    Attributes:
        text: The JSON text that is stored.
        size: The bytes of the text.

    """

    type: str
    name: str
    text: str
    size: int

    @classmethod
    def of(cls, definition: dict[str, Any]) -> "_Checked":
        text = json_text.dump(definition)
        return cls(definition["type"], definition["name"], text.decode(), len(text))

    def put_into(self, layout: Layout) -> Layout:
        return replace(layout, name=self.name, type=self.type, definition=self.text)


async def _checked(definition: Any, path: str) -> _Checked:
    def check() -> _Checked:
        return _Checked.of(checked_definition(definition, path))

    return await offload(len(json_text.dump(definition)), check)


def _checked_all(definitions: list[dict[str, Any]]) -> list[_Checked]:
    problems: list[Problem] = []
    seen: dict[tuple[str, str], int] = {}
    for number, definition in enumerate(definitions):
        path = f"layouts[{number}]"
        wrong = _problems(definition, path)
        problems += wrong
        if not wrong:
            first = seen.setdefault((definition["type"], definition["name"]), number)
            if first != number:
                problems.append(Problem(path=f"{path}.name", message=f"the same type and name as layouts[{first}]"))
    if problems:
        raise Invalid("the layouts have problems", problems[:1000])
    return [_Checked.of(definition) for definition in definitions]


def _problems(definition: Any, path: str) -> list[Problem]:
    # Imported when a layout is first written, as for apps.
    from rostrum.contracts.layouts import check_layout

    return under(path, check_layout(definition))


def _wanted(body: LayoutRemoval) -> list[tuple[str, str]]:
    if body.ids is not None:
        return [_split_bulk_id(number, text) for number, text in enumerate(body.ids)]
    if body.name is None or body.type is None:
        raise Invalid("the layout is not specified", [Problem(path="name", message="send name and type, or ids")])
    return [(body.type, body.name)]


def _split_bulk_id(number: int, text: str) -> tuple[str, str]:
    match = _BULK_ID.fullmatch(text)
    if match is None:
        message = "must be a name, a blank, and the type in round brackets, such as 'Morning (Global)'"
        raise Invalid("invalid id", [Problem(path=f"ids[{number}]", message=message)])
    return match["type"], match["name"]
