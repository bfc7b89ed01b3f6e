"""Compares the groups, apps, layouts and effective configuration of two users or groups, with the reasons."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rostrum.base.errors import Invalid
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.contracts.system_config import Scope
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.access.reasons import Verdict, evaluate_app, evaluate_layouts
from rostrum.manager.access.sentences import reason_text, why_not_text
from rostrum.manager.comparisons.side import Side, read_side
from rostrum.manager.configs.explained_values import ExplainedValue, explain_file
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.scopes import Client, layers, prefixes
from rostrum.manager.errors import NotFound
from rostrum.manager.groups.model import reach, way
from rostrum.manager.history.service import revision_of
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.storage import Storage

_MOST = 1_000
_ABSENT = object()

State = dict[str, Any]


class Compared(Struct, frozen=True, kw_only=True):
    """The users or groups to compare.

    Attributes:
        left_at: A revision or a time; ``None`` for the current state.
        version: The version of the platform, for configuration.

    """

    left: str
    right: str
    left_at: str | None = None
    right_at: str | None = None
    version: str = ""


class ComparisonService:
    """Compares users and groups."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def users(self, identity: Identity, wanted: Compared) -> dict[str, Any]:
        """Compare two users, or one user at two points in time."""
        require(identity, Permission.USERS_READ)
        return await self._compare(identity, wanted, is_user=True)

    async def groups(self, identity: Identity, wanted: Compared) -> dict[str, Any]:
        """Compare the access of members of two groups, or of one group at two points in time."""
        require(identity, Permission.GROUPS_READ)
        return await self._compare(identity, wanted, is_user=False)

    async def _compare(self, identity: Identity, wanted: Compared, *, is_user: bool) -> dict[str, Any]:
        sides: list[Side] = []
        async with self._storage.read() as work:
            for name, at, member in ((wanted.left, wanted.left_at, "at"), (wanted.right, wanted.right_at, "withAt")):
                revision = None if at is None else await revision_of(work, at, member)
                side = await read_side(
                    work, user=name if is_user else None, group=None if is_user else name, revision=revision
                )
                if not side.exists and revision is None:
                    noun = "user" if is_user else "group"
                    if not sides:
                        raise NotFound(noun, name)
                    message = f"there is no {noun} {name!r}"
                    raise Invalid(message, [Problem(path="with", message=message)])
                sides.append(side)
        left, right = sides
        may = identity.permissions
        size = sum(len(config.contents) for side in sides for config in side.configs.values())
        configs = None
        if Permission.SYSTEM_CONFIGS_READ in may:
            configs = await offload(size, _configs, left, right, wanted.version)
        return {
            "left": _side(left),
            "right": _side(right),
            "groups": _differences(_groups(left), _groups(right), "not a member"),
            "apps": _differences(_apps(left), _apps(right), "does not exist") if Permission.APPS_READ in may else None,
            "layouts": _differences(_layouts(left), _layouts(right), "does not exist")
            if Permission.LAYOUTS_READ in may
            else None,
            "configs": configs,
        }


def _side(side: Side) -> dict[str, Any]:
    return {"id": side.id, "revision": side.revision, "exists": side.exists, "disabled": side.disabled}


def _differences(
    left: Mapping[str, tuple[str, State]], right: Mapping[str, tuple[str, State]], absent: str
) -> dict[str, Any]:
    missing: State = {"given": False, "text": absent}
    items, same = [], 0
    for key in sorted({*left, *right}):
        name = (left.get(key) or right[key])[0]
        mine, theirs = left.get(key, ("", missing))[1], right.get(key, ("", missing))[1]
        if mine["given"] != theirs["given"]:
            items.append({"key": key.rpartition("\n")[2], "name": name, "left": mine, "right": theirs})
        elif mine["given"]:
            same += 1
    return {"items": items[:_MOST], "total": len(items), "same": same}


def _groups(side: Side) -> dict[str, tuple[str, State]]:
    reached = reach(side.direct, side.graph)
    found = {}
    for name in reached:
        through = way(reached, name)
        text = f"inherited through {' → '.join(through)}" if len(through) > 1 else "direct member"
        found[name] = (name, {"given": True, "text": text})
    return found


def _apps(side: Side) -> dict[str, tuple[str, State]]:
    viewer, reached = side.viewer(), reach(side.direct, side.graph)
    found = {}
    for app in side.apps.values():
        state = _state(evaluate_app(viewer, app), app.access, reached, exists=side.exists)
        found[app.name] = (app.title or app.name, state)
    return found


def _layouts(side: Side) -> dict[str, tuple[str, State]]:
    viewer, reached = side.viewer(), reach(side.direct, side.graph)
    found = {}
    for layout, verdict in evaluate_layouts(viewer, side.layouts.values()):
        state = _state(verdict, layout.access, reached, exists=side.exists)
        found[_layout_key(side, layout)] = (f"{layout.name} ({layout.type})", state)
    return found


def _layout_key(side: Side, layout: LayoutAccess) -> str:
    """Return the key for the comparison: personal layouts are compared by type and name, all others by ID."""
    if side.owner and layout.owner == side.owner:
        return f"{layout.type}\n{layout.name}"
    return layout.id


def _state(verdict: Verdict, access: tuple[str, ...], reached: Mapping[str, str | None], *, exists: bool) -> State:
    if not exists:
        return {"given": False, "text": "did not exist"}
    if verdict.obstacle is not None:
        return {"given": False, "text": why_not_text(verdict.obstacle, access)}
    texts = [reason_text(reason, way(reached, reason.group) if reason.group else None) for reason in verdict.reasons]
    return {"given": True, "text": "; ".join(texts)}


def _configs(left: Side, right: Side, version: str) -> dict[str, Any]:
    mine, theirs = _values(left, version), _values(right, version)
    items, same = [], 0
    for key in sorted({*mine, *theirs}):
        one, other = mine.get(key), theirs.get(key)
        values = [_ABSENT if value is None else value.value for value in (one, other)]
        if _equal(*values):
            same += 1
            continue
        items.append(
            {
                "file": key[0],
                "path": key[1],
                "left": _value(left, one, other),
                "right": _value(right, other, one),
            }
        )
    return {"items": items[:_MOST], "total": len(items), "same": same}


def _equal(one: Any, other: Any) -> bool:
    # True, 1 and 1.0 are equal in Python, but are different values in JSON.
    return type(one) is type(other) and one == other


def _values(side: Side, version: str) -> dict[tuple[str, str], ExplainedValue]:
    if side.disabled or not side.exists:
        return {}
    viewer = side.viewer()
    client = Client(user=side.owner or None, groups=viewer.groups, version=version)
    platform = next(reversed(prefixes(version)), None)
    return {
        (file, value.path): value
        for file, configs in layers(side.configs.values(), client, side.priorities).items()
        for value in explain_file(file, configs, version=platform).values
    }


def _value(side: Side, value: ExplainedValue | None, other: ExplainedValue | None) -> dict[str, Any]:
    if value is None:
        return {"given": False, "value": None, "config": None, "text": _not_set(side, other)}
    winner = value.winner
    return {
        "given": True,
        "value": value.value,
        "config": None if winner is None else winner.id,
        "text": "set" if winner is None else f"set {_for(winner)}",
    }


def _not_set(side: Side, other: ExplainedValue | None) -> str:
    if not side.exists:
        return "did not exist"
    if side.disabled:
        return "the user is disabled"
    winner = None if other is None else other.winner
    if winner is not None and winner.scope is Scope.GROUP and winner.target not in reach(side.direct, side.graph):
        return f"not set: not a member of {winner.target}"
    if winner is not None and winner.scope is Scope.USER and winner.target != side.owner:
        return f"not set: applies only to the user {winner.target}"
    return "not set"


def _for(config: ConfigFile) -> str:
    words = {Scope.BASE: "for all users", Scope.VERSION: f"for version {config.target}"}
    words |= {Scope.GROUP: f"for the group {config.target}", Scope.USER: f"for the user {config.target}"}
    return words[config.scope]
