"""Small firms that hypothesis makes up: users, nested groups, apps, layouts and configuration files."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from rostrum.base import json_text
from rostrum.base.passwords import Passwords
from rostrum.contracts.system_config import Scope
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.apps.model import App
from rostrum.manager.apps.repository import Apps
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.groups.model import Group
from rostrum.manager.groups.repository import Groups
from rostrum.manager.layouts.model import Layout
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.storage import Storage
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

GROUPS = ("Floor", "Desk", "Pilot", "Night")
USERS = ("ann", "bob", "eve")
APPS = ("blotter", "chart", "ticket")
VERSIONS = ("10", "10.1", "9.10")
NAMED = ("Morning", "Evening")
TYPES = ("Global", "Workspace")
PASSWORD = "the same for everyone"

TABLES = (
    *("user_groups", "user_apps", "user_layouts", "group_expansions", "app_access", "layout_access"),
    *("default_layouts", "users", "groups", "apps", "layouts", "config_files"),
)

Body = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """The bodies of everything a firm has."""

    groups: list[Body]
    users: list[Body]
    apps: list[Body]
    layouts: list[Body]
    configs: list[Body]


def some(names: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(names), unique=True, max_size=2)


flags = st.sampled_from([False, False, True])
rarely = st.sampled_from([False, False, False, False, False, True])
values = st.sampled_from([1, 2, "x", None, [1], {"c": 1}, {"c": 2, "d": 3}, {}])
contents = st.dictionaries(st.sampled_from(["a", "b", "env"]), values, max_size=3)
settings = st.fixed_dictionaries(
    {},
    optional={
        "notifications": st.fixed_dictionaries(
            {}, optional={"toastExpiry": st.sampled_from([1000, 2000, "soon"]), "enabled": st.booleans()}
        ),
        "splash": st.just({"width": 100}),
        "notifcations": st.just(1),
    },
)
scopes: st.SearchStrategy[dict[str, str]] = st.one_of(
    st.just({}),
    st.sampled_from(VERSIONS).map(lambda version: {"version": version}),
    st.sampled_from(GROUPS).map(lambda group: {"group": group}),
    st.sampled_from(USERS).map(lambda user: {"user": user}),
)


def app(name: str) -> st.SearchStrategy[Body]:
    definition = st.sampled_from(["https://one.example.com", "https://two.example.com"]).map(
        lambda url: {"name": name, "type": "window", "details": {"url": url}}
    )
    return st.fixed_dictionaries(
        {"definition": definition, "public": flags, "accessList": some(GROUPS), "disabled": rarely}
    )


def layout() -> st.SearchStrategy[Body]:
    definition = st.builds(
        lambda name, kind, given: {"name": name, "type": kind, "components": [], "metadata": {"given": given}},
        st.sampled_from(NAMED),
        st.sampled_from(TYPES),
        flags,
    )
    return st.fixed_dictionaries(
        {
            "definition": definition,
            "owner": st.sampled_from(["*", *USERS]),
            "public": flags,
            "accessList": some(GROUPS),
            "default": flags,
            "disabled": rarely,
        }
    )


def group(name: str) -> st.SearchStrategy[Body]:
    return st.fixed_dictionaries({"name": st.just(name), "priority": st.integers(0, 2), "expandsTo": some(GROUPS)})


def user(name: str) -> st.SearchStrategy[Body]:
    return st.fixed_dictionaries({"id": st.just(name), "groups": some(GROUPS), "apps": some(APPS), "disabled": flags})


def config() -> st.SearchStrategy[Body]:
    files = st.one_of(
        st.fixed_dictionaries({"file": st.just("system.json"), "contents": settings}),
        st.fixed_dictionaries({"file": st.just("own.json"), "contents": contents}),
        st.fixed_dictionaries(
            {"file": st.just("themes.json"), "contents": st.one_of(contents, st.lists(st.integers(0, 1), max_size=2))}
        ),
    )
    return st.builds(lambda file, scope: {**file, **scope}, files, scopes)


def _layout_key(body: Body) -> tuple[str, str, str]:
    return body["owner"], body["definition"]["type"], body["definition"]["name"]


def _config_key(body: Body) -> tuple[str, ...]:
    return body["file"], *(str(body.get(scope)) for scope in ("version", "group", "user"))


firms = st.builds(
    Firm,
    groups=st.tuples(*map(group, GROUPS)).map(list),
    users=st.tuples(*map(user, USERS)).map(list),
    apps=st.tuples(*map(app, APPS)).map(list),
    layouts=st.lists(layout(), min_size=2, max_size=5, unique_by=_layout_key),
    configs=st.lists(config(), min_size=3, max_size=7, unique_by=_config_key),
)


def wipe(path: Path) -> None:
    """Empty a database of all that decides who gets what; what is noted about it may stay."""
    with sqlite3.connect(path) as database:
        for name in TABLES:
            database.execute(f"DELETE FROM {name}")
    database.close()


async def fill(storage: Storage, firm: Firm, passwords: Passwords) -> None:
    """Put a firm into an empty database; the first user is given some of the layouts."""
    hashed = await passwords.hash(PASSWORD)
    async with storage.write(SYSTEM.user) as work:
        stamp = work.stamp()
        given = [str(number) for number, body in enumerate(firm.layouts) if body["definition"]["metadata"]["given"]]
        for body in firm.groups:
            await work.of(Groups).add(
                Group(name=body["name"], priority=body["priority"], expands_to=tuple(body["expandsTo"]), stamp=stamp)
            )
        for body in firm.users:
            layouts = tuple(given) if body["id"] == USERS[0] else ()
            await work.of(Users).add(
                User(
                    id=body["id"],
                    groups=tuple(body["groups"]),
                    apps=tuple(body["apps"]),
                    layouts=layouts,
                    disabled=body["disabled"],
                    password_hash=hashed,
                    epoch=work.revision,
                    stamp=stamp,
                )
            )
        for body in firm.apps:
            name = body["definition"]["name"]
            await work.of(Apps).add(App(name=name, type="window", title="", **_shared(body), stamp=stamp))
        for number, body in enumerate(firm.layouts):
            named = {"name": body["definition"]["name"], "type": body["definition"]["type"], "owner": body["owner"]}
            flagged = body["default"]
            await work.of(Layouts).add(Layout(id=str(number), **named, default=flagged, **_shared(body), stamp=stamp))
        for number, body in enumerate(firm.configs):
            scope = next(
                (scope for scope in (Scope.VERSION, Scope.GROUP, Scope.USER) if scope.value in body), Scope.BASE
            )
            await work.of(ConfigFiles).add(
                ConfigFile(
                    id=str(number),
                    file=body["file"],
                    scope=scope,
                    target=body.get(scope.value, ""),
                    contents=json_text.dump(body["contents"]).decode(),
                    stamp=stamp,
                )
            )


def _shared(body: Body) -> Body:
    return {
        "definition": json_text.dump(body["definition"]).decode(),
        "public": body["public"],
        "access": tuple(body["accessList"]),
        "disabled": body["disabled"],
    }
