"""Requests that no client sends: a clear refusal, never a server error, and nothing is written."""

import gzip
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api
from tests.long_form import LONG
from tests.manager.http.batch_actions import REMOVALS
from tests.manager.http.openapi_document import DOCUMENT
from tests.manager.http.plain_requests import Headers, send, send_body, send_json
from tests.manager.http.test_permissions import BODIES
from tests.manager.http.test_rights import operations as operations_with_bodies
from tests.tables import add_content

LISTS = ("users", "groups", "apps", "layouts", "prefs", "configs", "crashes", "feedback", "sessions", "commands")
JSON = {"content-type": "application/json"}
MOST = 4096
"""The largest body of these tests' manager."""

APP = {"name": "app", "type": "window", "title": "App", "details": {"url": "https://example.com"}}
LAYOUT = {"name": "layout", "type": "Global", "components": [], "metadata": {"a": "b"}}
GOOD: dict[str, Any] = {
    "createApp": {"definition": APP, "accessList": ["g"]},
    "replaceApp": {"definition": APP, "accessList": ["g"]},
    "changeApp": {"definition": APP, "accessList": ["g"]},
    "importApps": {"applications": [APP], "accessList": ["g"]},
    "createOwnToken": {"name": "x", "permissions": ["PLATFORM_MANAGER:APPS:READ"], "expiresInDays": 1},
    "createToken": {"user": "admin", "name": "x", "permissions": [], "expiresInDays": 1},
    "createView": {"list": "users", "name": "x", "search": "disabled=true", "shared": True},
    "changeView": {"name": "x", "search": "disabled=true", "shared": True},
    "createDirectory": {"user": "admin", "description": "x"},
    "saveLayout": {"layout": LAYOUT},
    "renameLayout": {"layout": LAYOUT, "newName": "other"},
    "removeLayouts": {"name": "layout", "type": "Global", "ids": ["layout (Global)"]},
    "setDefaultLayout": {"name": "layout", "type": "Global"},
    "createLayout": {"definition": LAYOUT, "owner": "admin", "accessList": ["g"]},
    "replaceLayout": {"definition": LAYOUT, "owner": "admin", "accessList": ["g"]},
    "changeLayout": {"definition": LAYOUT, "owner": "admin", "accessList": ["g"]},
    "importLayouts": {"layouts": [LAYOUT], "owner": "admin", "accessList": ["g"]},
    "savePreferences": {"app": "app", "data": {"a": "b"}},
    "clearPreferences": {"app": "app"},
    "createPreference": {"user": "admin", "app": "app", "data": {"a": "b"}},
    "replacePreference": {"user": "admin", "app": "app", "data": {"a": "b"}},
    "changePreference": {"data": {"a": "b"}},
    "postSystemConfig": {"user": "admin", "group": "g", "version": "10", "configs": "system.json", "identifier": "{}"},
    "createConfig": {"file": "system.json", "group": "g", "contents": {"a": "b"}},
    "replaceConfig": {"file": "system.json", "user": "admin", "contents": {"a": "b"}},
    "changeConfig": {"contents": {"a": "b"}},
    "validateConfig": {"file": "system.json", "contents": {"a": "b"}},
    "explainConfigDraft": {"draft": {"file": "system.json", "group": "g", "contents": {"a": "b"}}, "user": "admin"},
    "reviewCrash": {"comment": "x"},
    "reviewFeedback": {"comment": "x", "assignee": None},
    "changeCrashGroup": {"status": "new", "assignee": None},
    "addCrashGroupNote": {"text": "x"},
    "addFeedbackNote": {"text": "x"},
    "openSession": {"machine": {"id": "pc", "name": "pc", "os": "x"}, "version": "1", "env": "e", "commands": ["A"]},
    "platformHello": {
        "machine": {"id": "pc", "name": "pc"},
        "glue": {"version": "4", "build": "1", "env": "e", "region": "r", "core": {"platform": {"version": "4"}}},
        "initialDataRequest": {"applications": {"include": True}, "layouts": {"include": True}},
        "includeServerInfo": True,
    },
    "platformPoll": {
        "latestDataInfo": {"applications": {"last": 1, "checksum": "a"}, "layouts": {"last": 1, "checksum": "a"}},
        "applications": {"include": True, "latestDataInfo": {"last": 1}},
        "layouts": {"include": True},
    },
    "platformRefresh": {"token": "a"},
    "platformGoodbye": {"session": "s"},
    "saveUserLayout": {"type": "Global", "name": "layout", "definition": json.dumps(LAYOUT)},
    "renameUserLayout": {"newName": "other"},
    "setUserDefaultLayout": {"id": "x"},
    "saveUserPreferences": {"app": "app", "data": {"a": "b"}, "merge": True},
    "touchSession": {"commands": ["A", {"type": "B"}]},
    "answerCommand": {"status": "done", "data": {"a": "b"}},
    "sendCommand": {"session": "s", "command": "Restart", "params": {"a": "b"}},
    "createUser": {
        "id": "ann",
        "password": "a long secret",
        "email": "a@b.c",
        "groups": ["g"],
        "apps": ["a"],
        "layouts": ["l"],
    },
    "replaceUser": {"id": "ann", "password": "a long secret", "email": "a@b.c", "groups": ["g"], "apps": ["a"]},
    "changeUser": {"password": "a long secret", "email": "a@b.c", "groups": ["g"], "apps": ["a"]},
    "createPasswordLinks": {"users": ["x"]},
    "openPasswordLink": {"token": "x"},
    "usePasswordLink": {"token": "x", "password": "a long secret"},
    "confirmIdentity": {"password": "admin-password"},
    "signOutEverywhere": {"apiTokens": False},
    "signOutUser": {"apiTokens": False},
    "previewUserImport": {"csv": "id,email\nx,a@b.c\n", "columns": ["email"], "lists": "add"},
    "startUserImport": {"csv": "id,email\nx,a@b.c\n", "columns": ["email"], "key": "k", "count": 1},
    "changeOwnPassword": {"current": "admin-password", "new": "another password"},
    "createGroup": {"name": "g", "expandsTo": ["h"]},
    **{
        f"preview{kind}": {"changes": [{"action": "delete", "key": "x"}]}
        for kind in ("Apps", "Layouts", "Configs", "Users", "Groups")
    },
    **{
        f"rollBack{which}": {"revision": 1}
        for kind in ("App", "Layout", "Config", "User", "Group", "Preference")
        for which in (kind, f"All{kind}s")
    },
    **{
        f"{word}{kind}Batch": {**({"key": "k"} if word == "start" else {}), "action": action, "ids": ["x"]}
        for kind, action in REMOVALS.items()
        for word in ("start", "preview")
    },
    **{
        f"{word}{kind}Rollout": {
            "key": "x",
            "stages": [{"percent": 10, "groups": ["g"], "duration": 60}],
            **({"content": {"name": "x"}, "maxCrashes": "5%"} if word == "start" else {}),
        }
        for kind in ("App", "Layout", "Config")
        for word in ("start", "preview")
    },
    "startCommandRun": {"key": "k", "command": "Restart", "target": {"groups": ["g"], "users": ["ann"]}},
    "previewCommandRun": {"command": "Restart", "target": {"filter": {"q": "x", "fields": {"version": "10"}}}},
    "replaceGroup": {"name": "g", "expandsTo": ["h"]},
    "changeGroup": {"expandsTo": ["h"]},
}
"""A body that is taken, or would be if its document existed, for each operation that has one."""


def takes_json(operation: dict[str, Any]) -> bool:
    """Whether an operation has a JSON body, rather than a form or none."""
    return "application/json" in operation.get("requestBody", {}).get("content", {})


def operations(*, body: bool | None = None) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Id, method, path with x for every key, and declaration of each operation."""
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            if body is None or body == takes_json(operation):
                yield operation["operationId"], method.upper(), re.sub(r"{\w+}", "x", path), operation


NEW_PASSWORD = "changeOwnPassword"
WITH_BODY = sorted(operations(body=True), key=lambda operation: operation[0] == NEW_PASSWORD)
"""The last one ends the sign-in of the administrator if it is successful."""
OPTIONAL_BODY = {"clearPreferences", "postSystemConfig", "touchSession"}


def example(operation_id: str) -> Any:
    return GOOD[operation_id.partition("At")[0]]


def nested(levels: int, opening: bytes = b'{"a":', innermost: bytes = b"1", closing: bytes = b"}") -> bytes:
    return opening * levels + innermost + closing * levels


NOT_JSON = [
    b"{",
    b"}",
    b'{"a":',
    b'{"a":1',
    b"[1,",
    b"[1,]",
    b"nul",
    b'"abc',
    b"{'a':1}",
    b"a=1&b=2",
    b"<a/>",
    b"{} {}",
    b"\0",
    b'{"a":"\0"}',
    b"NaN",
    b'{"a":NaN}',
    b'{"a":-Infinity}',
    b'{"a":1e999}',
    b'{"a":' + b"9" * 5000 + b"}",
    b'{"a":"\\ud800"}',
    b'{"\\udc00":1}',
    b'{"a":"\xff"}',
    b'{"a":"\xed\xa0\x80"}',
    b"\xff\xfe{\x00}\x00",
    nested(200),
    nested(200, b"[", b"", b"]"),
    nested(100_000),
    b"[" * 100_000,
    b'{"a":' * 100_000,
]
WRONG_SHAPES: list[Any] = [[], [{}], "x", "", 0, 1.5, True, [[1]], ["a", "b"]]


@asynccontextmanager
async def manager(store: str, clock: SettableClock, **options: Any) -> AsyncIterator[Api]:
    """A manager with something in every list."""
    await add_content(store, "something in every list", _fill)
    async with running_api(manager_config(store, **options), clock) as api:
        yield api


def any_sessions(store: str, clock: SettableClock) -> AbstractAsyncContextManager[Api]:
    """A manager for requests that, where they are taken, open more sessions than one user may have."""
    return manager(store, clock, quotas={"sessions": -1})


async def _fill(store: str) -> None:
    async with running_api(manager_config(store), SettableClock()) as api:
        admin = api.admin
        answers = [
            await admin.post("/admin/groups", json={"name": "desk"}),
            await admin.post("/admin/apps", json={"definition": {**APP, "name": "first"}}),
            await admin.post("/admin/layouts", json={"definition": {**LAYOUT, "name": "first"}, "owner": "admin"}),
            await admin.post("/admin/prefs", json={"user": "admin", "app": "first", "data": 1}),
            await admin.post("/admin/configs", json={"file": "themes.json", "contents": []}),
            await admin.post("/crashes", files={"upload_file_minidump": b"MDMP"}),
            await admin.post("/feedback", files={"description": (None, "fine")}),
            session := await admin.post("/sessions", json={"machine": {"id": "first"}}),
            await admin.post("/admin/commands", json={"session": session.json()["id"], "command": "Restart"}),
        ]
        assert [answer.status_code // 100 for answer in answers] == [2] * len(answers)


@pytest.fixture
async def api(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    async with manager(sqlite, clock) as running:
        yield running


@pytest.fixture
async def each(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each kind of database in turn: they choke on different characters."""
    async with any_sessions(store, clock) as running:
        yield running


async def contents(api: Api) -> dict[str, Any]:
    admin = api.admin
    return {name: (await admin.get(f"/admin/{name}?limit=1000")).json() for name in (*LISTS, "machines")}


@asynccontextmanager
async def nothing_written(api: Api) -> AsyncIterator[None]:
    before = await contents(api)
    assert all(found["total"] for found in before.values())
    yield
    assert await contents(api) == before


def is_refused(answer: Any, *codes: int) -> bool:
    """The one body of every refusal, with the status in it again."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text)
    assert not codes or answer.status_code in codes, (answer.status_code, answer.text)
    error = answer.json()["error"]
    assert error["code"] == answer.status_code
    assert error["message"]
    assert error.keys() <= {"code", "message", "details"}
    return True


def test_there_is_an_example_for_every_body() -> None:
    missing = {name.partition("At")[0] for name, *_ in WITH_BODY} - GOOD.keys()
    assert not missing, f"add a valid body of {sorted(missing)} to GOOD"
    assert GOOD.keys() <= {name.partition("At")[0] for name, *_ in WITH_BODY}
    assert {name for name, _, _, operation in WITH_BODY if not operation["requestBody"]["required"]} == OPTIONAL_BODY


@pytest.mark.long
async def test_what_is_not_json_is_refused_everywhere(api: Api) -> None:
    async with nothing_written(api):
        for _, method, path, _ in [*WITH_BODY, ("", "GET", "/api/prefs", {})]:
            for body in NOT_JSON:
                answer = await send_body(api, method, path, body)
                assert is_refused(answer, 400), (method, path, body[:40])


KINDS = ["text/plain", "application/xml", "application/x-www-form-urlencoded", "", "/", 'a/b;c="']


@pytest.mark.long
async def test_what_is_not_json_is_refused_whatever_it_calls_itself(api: Api) -> None:
    async with nothing_written(api):
        for kind in KINDS:
            for name, method, path, _ in WITH_BODY:
                for body in (b"a=1", b"<a/>", b'{"a":'):
                    answer = await send_body(api, method, path, body, kind)
                    assert is_refused(answer, 415), (name, kind, body)


@pytest.mark.long
async def test_a_body_of_another_shape_is_refused_everywhere(api: Api) -> None:
    async with nothing_written(api):
        for name, method, path, _ in WITH_BODY:
            for shape in [*WRONG_SHAPES, *([] if name in OPTIONAL_BODY else [None])]:
                answer = await send_json(api, method, path, shape)
                assert is_refused(answer, 400), (name, shape)


@pytest.mark.long
async def test_a_missing_body_is_refused_where_one_is_required(api: Api) -> None:
    admin = api.admin
    async with nothing_written(api):
        for name, method, path, _ in WITH_BODY:
            if name not in OPTIONAL_BODY:
                for headers in ({}, JSON, {"content-length": "0"}):
                    answer = await admin.request(method, f"http://x{path}", headers=headers)
                    assert is_refused(answer, 400), name


@pytest.mark.long
async def test_members_of_another_kind_are_refused_with_their_path(api: Api) -> None:
    async with nothing_written(api):
        for name, method, path, operation in WITH_BODY:
            reference = next(iter(operation["requestBody"]["content"].values()))["schema"].get("$ref", "")
            schema = DOCUMENT["components"]["schemas"].get(reference.rpartition("/")[2], {})
            for member, declared in schema.get("properties", {}).items():
                if declared.keys() & {"type", "anyOf", "enum"}:
                    body = {**example(name), member: 7.5}
                    answer = await send_json(api, method, path, body)
                    assert is_refused(answer, 400), (name, member)
                    paths = [problem["path"] for problem in answer.json()["error"]["details"]]
                    assert any(found.split("[")[0].split(".")[0] == member for found in paths), (name, member, paths)


def variants(value: Any, text: str) -> Iterator[Any]:
    """The same document with one text, or one name of a member, replaced."""
    if isinstance(value, str):
        yield text
    elif isinstance(value, dict):
        for key, child in value.items():
            for changed in variants(child, text):
                yield {**value, key: changed}
            yield {**{k: v for k, v in value.items() if k != key}, text: child}
    elif isinstance(value, list):
        for number, child in enumerate(value):
            for changed in variants(child, text):
                yield [*value[:number], changed, *value[number + 1 :]]


NUL = "a\0b"
TEXTS = [NUL, "\x01", "\n\x7f", "\ufffe\u202e", "x" * 300]
TEXTS_FOR_POSTGRESQL = [NUL, "\ufffe\u202e", "x" * 300]
"""It takes no NUL, has its own encoding and may limit lengths; what else could be refused is refused before it."""


@pytest.mark.long
async def test_any_text_in_any_place_is_taken_or_refused(sqlite: str, postgresql: str, clock: SettableClock) -> None:
    async with any_sessions(sqlite, clock) as api, any_sessions(postgresql, clock) as other:
        for text in TEXTS:
            for name, method, path, _ in WITH_BODY:
                for body in variants(example(name), text):
                    answer = await send_json(api, method, path, body)
                    assert answer.status_code < 300 or is_refused(answer), (name, body)
                    assert answer.status_code != 401 or name == NEW_PASSWORD, (name, body)
                    # Little of what is refused as invalid reaches the database: one of them is enough for it.
                    if LONG or text == NUL or (text in TEXTS_FOR_POSTGRESQL and answer.status_code != 400):
                        answer = await send_json(other, method, path, body)
                        assert answer.status_code < 300 or is_refused(answer), (name, body)


NAMING_MEMBERS = [
    ("createUser", ["id", "password", "email", "groups", "apps", "layouts"]),
    ("createGroup", ["name", "expandsTo"]),
    ("createApp", ["accessList"]),
    ("createLayout", ["owner", "accessList"]),
    ("createPreference", ["user", "app"]),
    ("createConfig", ["file", "group", "user", "version"]),
    ("savePreferences", ["app"]),
    ("clearPreferences", ["app"]),
    ("removeLayouts", ["name", "type", "ids"]),
    ("setDefaultLayout", ["name", "type"]),
    ("renameLayout", ["newName"]),
    ("openSession", ["version", "env", "region", "product"]),
    ("platformGoodbye", ["session"]),
    ("platformRefresh", ["token"]),
    ("saveUserLayout", ["type", "name", "definition"]),
    ("renameUserLayout", ["newName"]),
    ("setUserDefaultLayout", ["id"]),
    ("saveUserPreferences", ["app"]),
    ("sendCommand", ["session", "sessions", "command"]),
    ("reviewCrash", ["comment"]),
    ("postSystemConfig", ["user", "group", "version"]),
]


@pytest.mark.long
async def test_a_nul_in_a_name_is_refused(each: Api) -> None:
    async with nothing_written(each):
        for operation_id, members in NAMING_MEMBERS:
            method, path = next((method, path) for name, method, path, _ in WITH_BODY if name == operation_id)
            for member in members:
                good = {key: value for key, value in GOOD[operation_id].items() if key != "ids" or member == "ids"}
                listed = isinstance(GOOD[operation_id].get(member), list) or member == "sessions"
                body = {**good, member: ["a\0b (Global)"] if listed else "a\0b"}
                assert is_refused(await each.admin.request(method, f"http://x{path}", json=body), 400), member


async def test_a_nul_in_the_name_of_a_definition_is_refused(each: Api) -> None:
    async with nothing_written(each):
        for path in [("definition", "name"), ("definition", "type")]:
            for address, good in (("/admin/apps", GOOD["createApp"]), ("/admin/layouts", GOOD["createLayout"])):
                body = {**good, path[0]: {**good[path[0]], path[1]: "a\0b"}}
                assert is_refused(await each.admin.post(address, json=body), 400)


async def test_a_nul_in_free_content_comes_back_as_it_was(each: Api) -> None:
    data = {"a\0": ["\0", {"\0": "\0b"}]}
    made = await each.admin.post("/admin/prefs", json={"user": "admin", "app": "nul", "data": data})
    assert made.status_code == 201
    assert (await each.admin.get(f"/admin/prefs/{made.json()['id']}")).json()["data"] == data

    made = await each.admin.post("/admin/configs", json={"file": "nul.json", "contents": data})
    assert (await each.admin.post("/systemConfig/get")).json()["nul.json"]["contents"] == data


KEYS = [
    b"%00",
    b"a%00b",
    b"%01",
    b"%0a",
    b"%7f",
    b"%ff",
    b"%c3%28",
    b"%ed%a0%80",
    b"\xff",
    b"\x00",
    b".",
    b"..",
    b"%2e%2e",
    b"..%2f..%2fetc%2fpasswd",
    b"a%2Fb",
    b"%2F",
    b"%5c",
    b"%",
    b"%zz",
    b"%25",
    b"*",
    b"'%20OR%201=1%20--",
    "größe".encode(),
    b"%F0%9F%99%82",
    b"%E2%80%AE",
    b"x" * 257,
    b"x" * 20_000,
    b"{user_id}",
]
KEYS_FOR_EACH = [b"a%00b", b"%01", b"%ff", b"%ed%a0%80", b"%5c", b"'%20OR%201=1%20--", b"%25", b"x" * 257]
"""Keys that a database or the check of a name could treat differently; the others differ in how an address is read."""


@pytest.mark.long
async def test_keys_of_nothing_are_refused_in_every_path(each: Api) -> None:
    is_sqlite = each.config.store.startswith("sqlite")
    read: set[str] = set()
    async with nothing_written(each):
        for name, item in DOCUMENT["paths"].items():
            if "{" not in name:
                continue
            for method, operation in item.items():
                body = (
                    json.dumps(example(operation["operationId"])).encode()
                    if "application/json" in operation.get("requestBody", {}).get("content", {})
                    else b""
                )
                # One operation receives all keys of a name; in the long form, each operation does.
                new = set(re.findall(r"{(\w+)}", name)) - read if is_sqlite else set()
                read |= new
                for key in KEYS if new or LONG else KEYS_FOR_EACH:
                    target = re.sub(rb"{\w+}", lambda _: key, name.encode())  # noqa: B023
                    answer = await send(each, method.upper(), target, [(b"content-type", b"application/json")], [body])
                    assert is_refused(answer), (method, target[:80])


ADDRESSES = [
    b"/api/nothing",
    b"/api/../api/me/x",
    b"/api/admin/%2e%2e/me",
    b"/api/me%00",
    b"/api/me%2f",
    b"/api%2fme",
    b"/API/ME",
    b"/",
    b"",
    b"/\xff",
    b"/api/" + b"a/" * 5000,
    b"/api/" + b"x" * 60_000,
    b"*",
    b"http://manager.example.com/api/me",
]


async def test_addresses_of_nothing_are_refused(api: Api) -> None:
    for target in ADDRESSES:
        for method in ("GET", "POST", "DELETE"):
            answer = await send(api, method, target)
            assert answer.status_code in (200, 302, 307, 308) or is_refused(answer)
            assert b"admin" not in answer.content


BAD_NUMBERS = [
    "-1",
    "1001000000",
    "9" * 40,
    "abc",
    "",
    "1.5",
    "NaN",
    "null",
    "true",
    "0x10",
    "[1]",
    "{}",
    "%00",
    "٣x",
    "1e3x",
]


@pytest.mark.long
async def test_lists_refuse_parameters_that_make_no_sense(each: Api) -> None:
    admin = each.admin
    for name in [*LISTS, "machines"]:
        bad = [f"limit={number}" for number in ("0", "1001", *BAD_NUMBERS)]
        bad += [f"offset={number}" for number in BAD_NUMBERS]
        bad += [
            "sort=colour",
            "sort=-",
            "sort=--id",
            "sort=id;DROP TABLE users",
            "sort=%00",
            f"sort={'a,' * 101}",
            "q=%00",
            f"q={'x' * 201}",
            "colour=red",
            "%00=1",
            "=1",
            "created=2026",
            "createdBy=%00" if name in LISTS[:6] else "user=%00",
            "id=a&id=b",
            "colour",
        ]
        for query in bad:
            answer = await admin.get(f"/admin/{name}?{query}")
            assert is_refused(answer, 400), query


ODD_QUERIES = [
    "limit=1&limit=2",
    "offset=0&offset=1",
    "q=a&q=b",
    "sort=id&sort=name",
    "q=%ff",
    "q=%ed%a0%80",
    "q=%25%5f%5c*",
    "q=" + "*" * 200,
    "sort=,,,",
    "limit=%201",
    "limit=+1",
    "limit=1_0",
    "limit=1&=",
    "&&&&",
    ";",
    "&".join(f"a{number}=1" for number in range(2000)),
    "offset=10000000",
]


@pytest.mark.long
async def test_odd_parameters_are_taken_or_refused(each: Api) -> None:
    admin = each.admin
    for query in ODD_QUERIES:
        for name in (*LISTS, "machines"):
            answer = await admin.get(f"/admin/{name}?{query}")
            assert answer.status_code == 200 or is_refused(answer, 400)


async def test_filters_that_do_not_fit_their_field_are_refused(each: Api) -> None:
    for address in ("users?disabled=maybe", "apps?public=1", "groups?priority=high", "groups?priority=99999999999999"):
        assert is_refused(await each.admin.get(f"/admin/{address}"), 400)
    for address in (
        "prefs?app=%00",
        f"prefs?app={'x' * 257}",
        "systemConfig/get?user=%00",
        "systemConfig/get?user=a%00b",
    ):
        assert is_refused(await each.admin.get(f"/{address}"), 400)
    answer = await each.admin.get("/systemConfig/get?user=admin&user=nobody&version=1&version=2")
    assert answer.status_code == 200 or is_refused(answer)


HEADER_VALUES = [b"\0", b"a\0b", b"\xff\xfe", b"", b" ", b",", b'"', b"\n", "ä🙂".encode(), b"x" * 60_000]


@pytest.mark.long
async def test_any_bytes_in_any_header_are_taken_or_refused(each: Api) -> None:
    async with nothing_written(each):
        for value in HEADER_VALUES:
            names = (
                b"accept",
                b"accept-encoding",
                b"content-length",
                b"content-type",
                b"cookie",
                b"host",
                b"if-match",
                b"if-none-match",
                b"origin",
                b"range",
                b"transfer-encoding",
                b"user",
                b"impersonated_user",
                b"configs",
                b"config",
                b"x-forwarded-for",
                b"x-request-id",
                b"access-control-request-method",
                b"expect",
            )
            for name in names:
                for method, target in (
                    ("GET", b"/api/systemConfig/get"),
                    ("PATCH", b"/api/admin/groups/none"),
                    ("GET", b"/api/me"),
                ):
                    answer = await send(each, method, target, [(name, value)], [b"{}"])
                    assert answer.status_code in (200, 304) or is_refused(answer), (name, target)


CREDENTIALS = [
    b"",
    b"Basic",
    b"Basic ",
    b"Basic =",
    b"Basic \0",
    b"Basic AAAA",
    b"Basic OmE=",
    b"Basic YToAYg==",
    b"Basic /////w==",
    b"Bearer",
    b"Bearer \0",
    b"Bearer a.b.c",
    b"Bearer " + b"e30." * 3000,
    b"Negotiate x",
    b"\xff\xff",
    b"Basic \xff",
    b"Basic " + b"A" * 60_000,
]


async def test_invalid_credentials_are_refused_with_one_body(each: Api) -> None:
    for value in CREDENTIALS:
        answer = await send(each, "GET", b"/api/me", [(b"authorization", value)])

        assert is_refused(answer, 401)
        assert answer.json() == {"error": {"code": 401, "message": "not authorized"}}


NO_ETAGS = ["", "0", '"', "abc", "''", "17", "W/", "\\"]


async def test_conditions_that_are_no_etags_are_refused(api: Api) -> None:
    async with nothing_written(api):
        for value in NO_ETAGS:
            for method in ("PATCH", "DELETE"):
                answer = await api.admin.request(
                    method, "/admin/groups/desk", json={"priority": 5}, headers={"If-Match": value}
                )
                assert is_refused(answer, 400, 412)


@pytest.mark.long
async def test_a_body_that_is_too_large_is_refused_however_it_comes(sqlite: str, clock: SettableClock) -> None:
    body = json.dumps({"name": "x", "filler": "y" * MOST}).encode()
    pieces = [body[start : start + 100] for start in range(0, len(body), 100)]
    endless = [b"[" * 1000] * 1000
    async with manager(sqlite, clock, maxBody=MOST, maxCrash=MOST) as api, nothing_written(api):
        for name, method, path, _ in [*WITH_BODY, ("", "POST", "/api/crashes", {}), ("", "POST", "/api/feedback", {})]:
            kind = b"application/json" if name else b"multipart/form-data; boundary=x"
            told: Headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
            untold: Headers = [(b"content-type", kind), (b"transfer-encoding", b"chunked")]
            for headers, sent in ((told, [body]), (told, pieces), (untold, pieces), (untold, endless)):
                assert is_refused(await send(api, method, path.encode(), headers, sent), 413), (path, len(sent))


async def test_packed_rubbish_is_refused_and_clears_nothing(api: Api) -> None:
    packed = gzip.compress(b'{"app":"nothing"}')
    headers: Headers = [(b"content-encoding", b"gzip"), (b"content-type", b"application/json")]
    async with nothing_written(api):
        for body in (b"x", packed[:-1], packed[:-9], packed[:5], packed[:-8] + b"\0" * 8, b"\x1f\x8b", packed[::-1]):
            for target in (b"/api/prefs", b"/api/layouts"):
                assert is_refused(await send(api, "DELETE", target, headers, [body]), 400), body


def part(disposition: bytes, content: bytes = b"x", *more: bytes) -> bytes:
    return b"\r\n".join([b"--x", b"Content-Disposition: " + disposition, *more, b"", content, b""])


END = b"--x--\r\n"
TEXT = b'form-data; name="description"'
FILE = b'form-data; name="attachment"; filename="a"'

BROKEN_FORMS: dict[str, tuple[bytes, bytes]] = {
    "no boundary": (b"multipart/form-data", part(TEXT) + END),
    "empty boundary": (b"multipart/form-data; boundary=", part(TEXT) + END),
    "another boundary": (b"multipart/form-data; boundary=y", part(TEXT) + END),
    "boundary too long": (b"multipart/form-data; boundary=" + b"x" * 5000, part(TEXT) + END),
    "boundary not ascii": (b"multipart/form-data; boundary=\xff", part(TEXT) + END),
    "not a form": (b"application/json", b'{"description":"x"}'),
    "urlencoded": (b"application/x-www-form-urlencoded", b"description=x"),
    "mixed": (b"multipart/mixed; boundary=x", part(TEXT) + END),
    "no type": (b"", part(TEXT) + END),
    "nothing": (b"multipart/form-data; boundary=x", b""),
    "only the end": (b"multipart/form-data; boundary=x", END),
    "cut in the headers": (b"multipart/form-data; boundary=x", b"--x\r\nContent-Dispo"),
    "cut in the content": (b"multipart/form-data; boundary=x", part(TEXT)[:-3]),
    "cut before the end": (b"multipart/form-data; boundary=x", part(TEXT)),
    "cut in the end": (b"multipart/form-data; boundary=x", part(TEXT) + b"--x-"),
    "no headers": (b"multipart/form-data; boundary=x", b"--x\r\n\r\nx\r\n" + END),
    "no name": (b"multipart/form-data; boundary=x", part(b"form-data") + END),
    "no disposition": (b"multipart/form-data; boundary=x", b"--x\r\nA: b\r\n\r\nx\r\n" + END),
    "header without colon": (b"multipart/form-data; boundary=x", part(TEXT, b"x", b"rubbish") + END),
    "header too long": (b"multipart/form-data; boundary=x", part(TEXT, b"x", b"A: " + b"b" * 100_000) + END),
    "too many headers": (b"multipart/form-data; boundary=x", part(TEXT, b"x", *[b"A: b"] * 1000) + END),
    "thousands of parts": (b"multipart/form-data; boundary=x", part(TEXT) * 5000 + END),
    "thousands of files": (b"multipart/form-data; boundary=x", part(FILE) * 5000 + END),
    "unknown charset": (
        b"multipart/form-data; boundary=x",
        part(TEXT, b"x", b"Content-Type: text/plain; charset=no") + END,
    ),
    "not its charset": (
        b"multipart/form-data; boundary=x",
        part(TEXT, b"\xff", b"Content-Type: text/plain; charset=utf-8") + END,
    ),
    "not utf-8": (b"multipart/form-data; boundary=x", part(TEXT, b"\xff\xfe") + END),
    "nul in the text": (b"multipart/form-data; boundary=x", part(TEXT, b"a\0b") + END),
    "nul in the name": (b"multipart/form-data; boundary=x", part(b'form-data; name="a\0b"') + END),
    "nothing said": (b"multipart/form-data; boundary=x", part(TEXT, b" \n ") + END),
    "two files": (b"multipart/form-data; boundary=x", part(TEXT) + part(FILE) * 2 + END),
    "file in the wrong field": (
        b"multipart/form-data; boundary=x",
        part(TEXT) + part(b'form-data; name="other"; filename="a"') + END,
    ),
    "text too long": (b"multipart/form-data; boundary=x", part(TEXT, b"x" * 200_000) + END),
}


@pytest.mark.long
async def test_broken_forms_are_refused(api: Api) -> None:
    async with nothing_written(api):
        for name, (kind, body) in BROKEN_FORMS.items():
            for pieces in ([body], [body[start : start + 7919] for start in range(0, len(body), 7919)] or [b""]):
                answer = await send(api, "POST", b"/api/feedback", [(b"content-type", kind)], pieces)
                assert is_refused(answer, 400, 413), name


async def test_broken_crash_reports_are_kept_or_refused(each: Api) -> None:
    # Reporters are old and odd: a text that is strange but complete is worth keeping.
    for name, (kind, body) in BROKEN_FORMS.items():
        answer = await send(each, "POST", b"/api/crashes", [(b"content-type", kind)], [body])

        assert answer.status_code == 200 or is_refused(answer, 400, 413), name


FILE_NAMES = [
    b"",
    b"a\0b",
    b"../../etc/passwd",
    b"C:\\\\x\\\\y.dmp",
    b"\xff",
    "größe 🙂.dmp".encode(),
    b"x" * 3000,
    b"con",
    b".",
    b"\\u202e",
]


async def test_any_file_name_is_kept_harmless_or_refused(each: Api) -> None:
    for filename in FILE_NAMES:
        dump = part(b'form-data; name="upload_file_minidump"; filename="' + filename + b'"', b"MDMP")
        kind = (b"content-type", b"multipart/form-data; boundary=x")
        answer = await send(each, "POST", b"/api/crashes", [kind], [part(b'form-data; name="prod"', b"x") + dump + END])

        if answer.status_code == 200:
            kept = (await each.admin.get(f"/admin/crashes/{answer.text}")).json()["minidump"]
            if kept is not None:
                assert re.fullmatch(r"[\w.() -]{1,128}", kept["name"])
                download = await each.admin.get(f"/admin/crashes/{answer.text}/minidump")
                assert (download.status_code, download.content) == (200, b"MDMP")
        else:
            assert is_refused(answer, 400)


@pytest.mark.long
async def test_messages_never_show_internal_types(api: Api) -> None:
    wrong: list[Any] = [5, []]
    shapes = DOCUMENT["components"]["schemas"]
    said: set[str] = set()
    tried: set[str] = set()
    for name, method, address, body in operations_with_bodies():
        shape = next((shape for shape, sample in BODIES.items() if sample is body), name)
        if body is None or shape in tried:
            continue
        tried.add(shape)
        # Where several kinds of values are allowed, checks name the kinds.
        declared = shapes.get(shape, {}).get("properties", {})
        members = [member for member, schema in declared.items() if {"anyOf", "oneOf"} & schema.keys()]
        for value in [*wrong, *({**body, member: value} for member in members for value in wrong)]:
            answer = await api.admin.request(method, address, json=value)
            if answer.status_code == 400:
                error = answer.json()["error"]
                said |= {error["message"], *(f"{one['path']}: {one['message']}" for one in error.get("details", ()))}

    internal = re.compile(r"\b(dict|list|tuple)\[|\b(str|int|float|bool|dict|NoneType|Expected)\b|\| null|null \|")
    assert [each for each in said if internal.search(re.sub(r'"[^"]*"', "", each))] == []
    assert ": must be an object, not a list" in said
    assert "contents: must be an object or a list, not 5" in said
