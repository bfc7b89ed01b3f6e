"""One side of a comparison: the data that decides about the access of a user or group, now or at a revision."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from rostrum.base import json_text
from rostrum.contracts.system_config import Scope
from rostrum.manager.access.reasons import Viewer
from rostrum.manager.apps.model import AppAccess
from rostrum.manager.apps.repository import Apps
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.document import Stamp
from rostrum.manager.errors import Conflict, NotKept
from rostrum.manager.groups.model import reach
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.model import Revision
from rostrum.manager.history.repository import History
from rostrum.manager.history.service import as_of
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.storage import Work
from rostrum.manager.users.model import Person
from rostrum.manager.users.repository import Users

_MOST_CHANGED = 2_000
"""Maximum number of documents that may have changed since: each of them is read from the history."""


class Side(Struct, kw_only=True):
    """The data of one side.

    Attributes:
        user: The user; ``None`` for a group, or for a user who did not exist.
        direct: The groups that the side is a member of directly; a group is a member of itself.

    """

    id: str
    revision: int | None = None
    user: Person | None = None
    direct: tuple[str, ...] = ()
    exists: bool = True
    graph: dict[str, tuple[str, ...]] = field(default_factory=dict)
    priorities: dict[str, int] = field(default_factory=dict)
    apps: dict[str, AppAccess] = field(default_factory=dict)
    layouts: dict[str, LayoutAccess] = field(default_factory=dict)
    configs: dict[str, ConfigFile] = field(default_factory=dict)

    @property
    def owner(self) -> str:
        """The ID of the user; empty for a group."""
        return "" if self.user is None else self.user.id

    @property
    def disabled(self) -> bool:
        return self.user is not None and self.user.disabled

    def viewer(self) -> Viewer:
        user = self.user or Person(id="")
        groups = frozenset(reach(self.direct, self.graph))
        return Viewer(user=self.owner, groups=groups, apps=user.apps, layouts=user.layouts, disabled=self.disabled)


async def read_side(work: Work, *, user: str | None, group: str | None, revision: int | None) -> Side:
    """Read the data of a user or group, as it is, or as it was at a revision."""
    side = Side(id=user if user is not None else group or "", revision=revision)
    owner = user or ""
    side.graph = dict(await work.of(Groups).graph())
    side.priorities = dict(await work.of(Groups).priorities())
    side.apps = {app.name: app for app in await work.of(Apps).access()}
    side.layouts = {layout.id: layout for layout in await work.of(Layouts).access(owner)}
    side.configs = {config.id: config for config in await work.of(ConfigFiles).concerning(owner)}
    if user is not None:
        found = await work.of(Users).get(user)
        if found is not None:
            side.user = Person(
                id=user, groups=found.groups, apps=found.apps, layouts=found.layouts, disabled=found.disabled
            )
    if revision is not None:
        await _go_back(work, side, owner, revision)
    side.exists = side.user is not None if user is not None else group in side.priorities
    if side.exists:
        side.direct = side.user.groups if side.user is not None else (side.id,)
    return side


async def _go_back(work: Work, side: Side, owner: str, revision: int) -> None:
    restore: dict[Kind, Callable[[str, Revision, dict[str, Any]], None]] = {
        Kind.USER: lambda key, _past, body: _user(side, key, body),
        Kind.GROUP: lambda key, _past, body: _group(side, key, body),
        Kind.APP: lambda key, _past, body: _app(side, key, body),
        Kind.LAYOUT: lambda key, past, body: _layout(side, key, past, body),
        Kind.CONFIG: lambda key, past, body: _config(side, owner, key, past, body),
    }
    for kind, put in restore.items():
        changed = await work.of(History).changed_since(kind, revision)
        if len(changed) > _MOST_CHANGED:
            raise Conflict(
                f"more than {_MOST_CHANGED} documents have changed since revision {revision}: choose a later point"
            )
        for now in changed:
            if kind is Kind.USER and now.key != owner:
                continue
            past = await _past(work, kind, now.key, revision)
            _forget(side, kind, now.key)
            if past is not None and past.body is not None:
                put(now.key, past, json_text.parse(past.body))


async def _past(work: Work, kind: Kind, key: str, revision: int) -> Revision | None:
    try:
        return await as_of(work, kind, key, revision)
    except NotKept as error:
        raise Conflict(str(error)) from None


def _forget(side: Side, kind: Kind, key: str) -> None:
    if kind is Kind.USER:
        side.user = None
    elif kind is Kind.GROUP:
        side.graph.pop(key, None)
        side.priorities.pop(key, None)
    elif kind is Kind.APP:
        side.apps.pop(key, None)
    elif kind is Kind.LAYOUT:
        side.layouts.pop(key, None)
    elif kind is Kind.CONFIG:
        side.configs.pop(key, None)


def _user(side: Side, key: str, body: dict[str, Any]) -> None:
    lists = {name: tuple(body[name]) for name in ("groups", "apps", "layouts")}
    side.user = Person(id=key, disabled=body["disabled"], **lists)


def _group(side: Side, key: str, body: dict[str, Any]) -> None:
    side.graph[key] = tuple(body["expandsTo"])
    side.priorities[key] = body["priority"]


def _app(side: Side, key: str, body: dict[str, Any]) -> None:
    definition = body["definition"]
    title = definition.get("title") if isinstance(definition, dict) else None
    side.apps[key] = AppAccess(
        name=key,
        title=title if isinstance(title, str) else "",
        public=body["public"],
        access=tuple(body["accessList"]),
        disabled=body["disabled"],
    )


def _layout(side: Side, key: str, past: Revision, body: dict[str, Any]) -> None:
    side.layouts[key] = LayoutAccess(
        id=key,
        name=body["definition"]["name"],
        type=body["definition"]["type"],
        owner=body["owner"],
        public=body["public"],
        access=tuple(body["accessList"]),
        default=body["default"],
        disabled=body["disabled"],
        created=past.created,
    )


def _config(side: Side, owner: str, key: str, past: Revision, body: dict[str, Any]) -> None:
    scope = next((one for one in (Scope.VERSION, Scope.GROUP, Scope.USER) if one.value in body), Scope.BASE)
    target = "" if scope is Scope.BASE else body[scope.value]
    if scope is Scope.USER and target != owner:
        return
    side.configs[key] = ConfigFile(
        id=key,
        file=body["file"],
        scope=scope,
        target=target,
        contents=json_text.dump(body["contents"]).decode(),
        stamp=Stamp(
            revision=past.revision,
            created=past.created,
            created_by=past.created_by,
            modified=past.at,
            modified_by=past.actor,
        ),
    )
