"""The apps, layouts and configuration that are available to a user, with the reasons."""

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct, field

from rostrum.contracts.system_config import Scope
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.access.reasons import (
    DefaultLayout,
    Verdict,
    Viewer,
    default_layout,
    evaluate_app,
    evaluate_layouts,
)
from rostrum.manager.apps.model import AppAccess
from rostrum.manager.apps.repository import Apps
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.configs.scopes import Client, layers
from rostrum.manager.errors import found
from rostrum.manager.groups.model import reach
from rostrum.manager.groups.repository import Groups
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.rollouts.serving import UserVersion, versions
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

Item = TypeVar("Item")
Access = TypeVar("Access", AppAccess, LayoutAccess)


class EffectiveQuery(Struct, frozen=True, kw_only=True):
    """The parts that a caller requests.

    Attributes:
        kind: ``apps``, ``layouts`` or ``configs``; all of them without one.
        app: One app by its name.
        layout: One layout by its id.
        file: One configuration file by its name.
        given: Only items that are available to the user, or only the others.
        version: The version of the platform, for configuration.
        text: Words in the names of apps and layouts, or in the text shown with them.
        sort: ``name`` or ``given``, ``-`` before it for descending; for apps and layouts.

    """

    kind: str | None = None
    app: str | None = None
    layout: str | None = None
    file: str | None = None
    given: bool | None = None
    version: str | None = None
    text: str = ""
    sort: str | None = None
    limit: int = 1000
    offset: int = 0

    @property
    def kinds(self) -> frozenset[str]:
        """Return the requested parts: those of the named items, the kind, or all."""
        named = {kind for kind, key in (("apps", self.app), ("layouts", self.layout), ("configs", self.file)) if key}
        return frozenset(named or ([self.kind] if self.kind else ("apps", "layouts", "configs")))


class GrantPage(Struct, Generic[Item], frozen=True):
    """One page of items of one kind, and their total number."""

    items: tuple[Item, ...]
    total: int


class ConfigGrant(Struct, frozen=True, kw_only=True):
    """A configuration file: the stored files that apply, lowest precedence first, and the others."""

    file: str
    layers: tuple[ConfigFile, ...]
    left_out: tuple[ConfigFile, ...]


class Effective(Struct, frozen=True, kw_only=True):
    """The access of a user. A part that was not requested, or that the caller may not read, is ``None``.

    Attributes:
        reached: Each effective group of the user, and the group through which the user is a member.
        rollouts: The version that the user receives, for documents that are being rolled out, by the ID of the
            roll-out.

    """

    user: User
    version: str
    reached: Mapping[str, str | None]
    priorities: Mapping[str, int]
    apps: GrantPage[tuple[AppAccess, Verdict]] | None = None
    layouts: GrantPage[tuple[LayoutAccess, Verdict]] | None = None
    default_layout: DefaultLayout | None = None
    configs: GrantPage[ConfigGrant] | None = None
    rollouts: Mapping[str, UserVersion] = field(default_factory=dict)


class EffectiveService:
    """Determines what is available to users."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of_user(self, identity: Identity, user_id: str, query: EffectiveQuery) -> Effective:
        """Return what is available to a user, limited to the kinds that the caller may read."""
        require(identity, Permission.USERS_READ)
        allowed = {kind for kind, permission in _PERMISSIONS.items() if permission in identity.permissions}
        wanted = query.kinds & allowed
        async with self._storage.read() as work:
            user = found(await work.of(Users).get(user_id), "user", user_id)
            reached = reach(user.groups, await work.of(Groups).graph())
            viewer = Viewer(
                user=user.id, groups=frozenset(reached), apps=user.apps, layouts=user.layouts, disabled=user.disabled
            )
            priorities = await work.of(Groups).priorities(reached)
            chosen, evaluated = None, None
            if "layouts" in wanted:
                evaluated = await _layouts(work, viewer, query)
                chosen = default_layout(evaluated, await work.of(Layouts).get_default(user_id))
            apps = _page(await _apps(work, viewer, query), query) if "apps" in wanted else None
            layouts = None if evaluated is None else _page(_one_layout(evaluated, query), query)
            stored = await work.of(ConfigFiles).concerning(user_id) if "configs" in wanted else []
            configs = _configs(stored, viewer, priorities, query) if "configs" in wanted else None
            staged: list[AppAccess | LayoutAccess | ConfigFile] = [
                *(pair[0] for pair in (apps.items if apps else ())),
                *(pair[0] for pair in (layouts.items if layouts else ())),
                *stored,
            ]
            return Effective(
                user=user,
                version=query.version or "",
                reached=reached,
                priorities=priorities,
                apps=apps,
                layouts=layouts,
                default_layout=chosen,
                configs=configs,
                rollouts=await versions(work, staged, viewer.user, viewer.groups),
            )


_PERMISSIONS = {
    "apps": Permission.APPS_READ,
    "layouts": Permission.LAYOUTS_READ,
    "configs": Permission.SYSTEM_CONFIGS_READ,
}


async def _apps(work: Work, viewer: Viewer, query: EffectiveQuery) -> list[tuple[AppAccess, Verdict]]:
    apps = await work.of(Apps).access(None if query.app is None else [query.app])
    return [(app, evaluate_app(viewer, app)) for app in sorted(apps, key=lambda app: app.name)]


async def _layouts(work: Work, viewer: Viewer, query: EffectiveQuery) -> list[tuple[LayoutAccess, Verdict]]:
    layouts = await work.of(Layouts).access(viewer.user)
    if query.layout is not None and all(layout.id != query.layout for layout in layouts):
        # Private layouts of other users are not listed, but can be requested by ID.
        other = await work.of(Layouts).access_of(query.layout)
        layouts += [] if other is None else [other]
    return evaluate_layouts(viewer, layouts)


def _one_layout(
    evaluated: list[tuple[LayoutAccess, Verdict]], query: EffectiveQuery
) -> list[tuple[LayoutAccess, Verdict]]:
    return [pair for pair in evaluated if query.layout in (None, pair[0].id)]


def _page(evaluated: list[tuple[Access, Verdict]], query: EffectiveQuery) -> GrantPage[tuple[Access, Verdict]]:
    words = query.text.strip().casefold()
    chosen = [
        pair
        for pair in evaluated
        if query.given in (None, pair[1].visible) and any(words in text.casefold() for text in _texts(pair[0]))
    ]
    if query.sort is not None:
        is_down = query.sort.startswith("-")
        chosen.sort(key=lambda pair: pair[0].name, reverse=is_down)
        if query.sort.removeprefix("-") == "given":
            chosen.sort(key=lambda pair: pair[1].visible, reverse=is_down)
    return GrantPage(tuple(chosen[query.offset : query.offset + query.limit]), len(chosen))


def _texts(thing: AppAccess | LayoutAccess) -> tuple[str, ...]:
    return (thing.name, thing.title) if isinstance(thing, AppAccess) else (thing.name, thing.type, thing.owner)


def _configs(
    stored: list[ConfigFile], viewer: Viewer, priorities: Mapping[str, int], query: EffectiveQuery
) -> GrantPage[ConfigGrant]:
    client = Client(user=viewer.user, groups=viewer.groups, version=query.version or "")
    counting = {} if viewer.disabled else layers(stored, client, priorities)
    names = sorted({config.file for config in stored} if query.file is None else {query.file})
    grants = [
        ConfigGrant(
            file=name,
            layers=counting.get(name, ()),
            left_out=_left_out(stored, name, counting.get(name, ())),
        )
        for name in names
    ]
    chosen = [grant for grant in grants if query.given in (None, bool(grant.layers))]
    return GrantPage(tuple(chosen[query.offset : query.offset + query.limit]), len(chosen))


def _left_out(stored: Iterable[ConfigFile], name: str, counting: tuple[ConfigFile, ...]) -> tuple[ConfigFile, ...]:
    ids = {config.id for config in counting}
    rest = [config for config in stored if config.file == name and config.id not in ids]
    return tuple(sorted(rest, key=lambda config: (list(Scope).index(config.scope), config.target)))
