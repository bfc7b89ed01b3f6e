"""Existing browser platforms: all requests, the end of sessions, and forbidden operations."""

import json
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum import __version__
from rostrum.base.clock import SettableClock
from rostrum.contracts.browser_platform import INVALID_TOKEN, TOKEN_HEADER
from tests.conftest import ORIGIN, Api, manager_config, running_api
from tests.manager.http.test_response_cache import statements

APP = {"name": "blotter", "type": "window", "title": "Blotter", "details": {"url": "https://apps.example.com"}}
LAYOUT = {"name": "Morning", "type": "Global", "components": [], "metadata": {"a": "b"}}
SHARED = {"name": "Common", "type": "Global", "components": []}
HELLO = {
    "machine": {"name": "PC-1", "os": "Linux"},
    "glue": {"version": "4.4.0", "build": "1", "region": "EMEA", "env": "PROD", "core": {"platform": {"version": "4"}}},
    "initialDataRequest": {
        "applications": {"include": True},
        "layouts": {"include": True},
        "commands": {"include": False},
        "configs": {"include": False},
    },
    "includeServerInfo": True,
}


def claims(token: str) -> dict[str, Any]:
    """Read a token as the client does: without verifying it."""
    part = token.split(".")[1]
    read: dict[str, Any] = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return read


class Platform:
    """A browser platform of one user: it sends what existing clients send, and keeps what they keep."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.token = ""
        self.session = ""
        self.info: dict[str, Any] = {}

    async def send(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return await self.client.request(
            method, path, json=body, headers={TOKEN_HEADER: self.token, "origin": ORIGIN, **headers}
        )

    async def hello(self, **members: Any) -> dict[str, Any]:
        answer = await self.send("POST", "/user/hello", {**HELLO, **members})
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        self.token, self.session = body["token"], claims(body["token"])["session"]
        self.info = {kind: found["info"] for kind, found in body["data"].items()}
        return body

    async def poll(self) -> dict[str, Any]:
        answer = await self.send("POST", "/user", {"latestDataInfo": self.info})
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        self.info = {kind: found["info"] for kind, found in body.items()}
        return body


async def new_platform(api: Api, user: str = "ann", *groups: str) -> Platform:
    return Platform(await api.add_user(user, *groups))


def is_invalid_token(answer: httpx.Response) -> bool:
    return answer.status_code == 400 and answer.json()["error"] == {"code": 400, "message": INVALID_TOKEN}


@pytest.fixture
async def each(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each kind of database in turn, with an app and a layout for all."""
    async with running_api(manager_config(store, configs={"anonymous": ["browser-platform.json"]}), clock) as api:
        for file in ("browser-platform.json", "system.json"):
            await api.admin.post("/admin/configs", json={"file": file, "contents": {"a": 1}})
        await api.admin.post("/admin/apps", json={"definition": APP, "public": True})
        await api.admin.post("/admin/layouts", json={"definition": SHARED, "public": True})
        yield api


@pytest.mark.long
async def test_the_whole_conversation_of_a_browser_platform(each: Api) -> None:
    platform = await new_platform(each)

    def step(answer: httpx.Response, status: int = 200) -> Any:
        assert answer.status_code == status, (answer.request.url, answer.text)
        assert answer.headers["access-control-allow-origin"] == ORIGIN
        return answer.json() if answer.content else None

    wanted = {
        "access-control-request-method": "POST",
        "access-control-request-headers": f"authorization,{TOKEN_HEADER}",
    }
    preflight = await each.client().options("/user/hello", headers={"origin": ORIGIN, **wanted})
    step(preflight, 204)
    assert TOKEN_HEADER in preflight.headers["access-control-allow-headers"]

    asked = {"identifier": {"version": "4.4.0", "user": "*", "group": "*"}}
    before = step(await each.client().post("/systemConfig/get", json=asked, headers={"origin": ORIGIN}))
    assert before == {"browser-platform.json": {"contents": {"a": 1}}}

    opened = step(await platform.send("POST", "/user/hello", HELLO))
    platform.token = opened["token"]
    read = claims(platform.token)
    assert (read["user"], read["exp"] > read["iat"]) == ("ann", True)
    apps, layouts = opened["data"]["applications"], opened["data"]["layouts"]
    assert (apps["hasChanges"], apps["data"]) == (True, [APP])
    (shared,) = layouts["data"]
    assert {key: shared[key] for key in ("name", "type", "default")} == {
        "name": "Common",
        "type": "Global",
        "default": False,
    }
    assert json.loads(shared["definition"]) == SHARED
    assert all(type(kind["info"]["last"]) is int for kind in (apps, layouts))
    assert opened["serverInfo"] == {"version": __version__, "capabilities": []}

    known = {"applications": apps["info"], "layouts": layouts["info"]}
    same = step(await platform.send("POST", "/user", {"latestDataInfo": known}))
    assert [(same[kind]["hasChanges"], same[kind]["data"]) for kind in known] == [(False, []), (False, [])]
    await each.admin.patch("/admin/apps/blotter", json={"definition": {**APP, "title": "New"}})
    changed = step(await platform.send("POST", "/user", {"latestDataInfo": known}))
    assert changed["applications"]["data"] == [{**APP, "title": "New"}]
    assert changed["layouts"]["hasChanges"] is False

    fresh = step(await platform.send("POST", "/user/refresh", {"token": platform.token}))["token"]
    assert claims(fresh)["session"] == read["session"]
    platform.token = fresh
    assert step(await platform.send("GET", "/user/apps")) == [{**APP, "title": "New"}]
    assert step(await platform.send("GET", "/user/layouts")) == [shared]

    body = {"type": "Global", "name": "Morning", "definition": json.dumps(LAYOUT)}
    saved = step(await platform.send("POST", "/user/layouts", body))
    assert (saved["name"], saved["owner"], json.loads(saved["definition"])) == ("Morning", "ann", LAYOUT)
    renamed = step(await platform.send("POST", f"/user/layouts/{saved['id']}/rename", {"newName": "Noon"}))
    assert (renamed["id"], renamed["name"]) == (saved["id"], "Noon")
    assert json.loads(renamed["definition"]) == {**LAYOUT, "name": "Noon"}

    step(await platform.send("GET", "/user/layouts/default"), 204)
    assert step(await platform.send("POST", "/user/layouts/default", {"id": saved["id"]}))["default"] is True
    assert step(await platform.send("GET", "/user/layouts/default"))["id"] == saved["id"]
    step(await platform.send("POST", "/user/layouts/default", {}), 204)
    step(await platform.send("DELETE", f"/user/layouts/{saved['id']}"), 204)
    await platform.send("POST", "/user/layouts", body)
    assert step(await platform.send("DELETE", "/user/layouts/")) == [shared]

    step(await platform.send("GET", "/user/prefs/blotter?last=1"), 404)
    first = step(await platform.send("POST", "/user/prefs/", {"app": "blotter", "data": {"a": 1}, "merge": False}))
    assert first.keys() == {"id", "app", "user", "data", "lastUpdate"}
    await platform.send("POST", "/user/prefs/", {"app": "blotter", "data": {"b": 2}, "merge": True})
    assert step(await platform.send("GET", "/user/prefs/blotter?last=1"))["data"] == {"a": 1, "b": 2}
    assert [found["app"] for found in step(await platform.send("GET", "/user/prefs/"))] == ["blotter"]
    step(await platform.send("DELETE", "/user/prefs/blotter"), 204)
    step(await platform.send("DELETE", "/user/prefs/"), 204)

    assert step(await platform.send("GET", "/v2/server/info"))["version"] == __version__
    assert step(await platform.send("GET", "/whoami"))["id"] == "ann"
    step(await platform.send("POST", "/user/goodbye", {"session": read["session"]}), 204)
    after = await platform.send("POST", "/user", {"latestDataInfo": known})
    step(after, 400)
    assert is_invalid_token(after)


async def test_administrators_see_the_session_and_its_contacts(each: Api, clock: SettableClock) -> None:
    platform = await new_platform(each)
    await platform.hello()

    async def session() -> dict[str, Any]:
        read: dict[str, Any] = (await each.admin.get(f"/admin/sessions/{platform.session}")).json()
        return read

    shown = await session()
    assert {name: shown[name] for name in ("user", "product", "version", "env", "region", "active")} == {
        "user": "ann",
        "product": "browser",
        "version": "4.4.0",
        "env": "PROD",
        "region": "EMEA",
        "active": True,
    }
    for _ in range(10):
        clock.advance(60)
        await platform.poll()
        assert (await session())["active"]
    clock.advance(each.config.session_idle + 1)
    assert not (await session())["active"]


async def test_the_version_of_the_library_counts_where_the_platform_has_none(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello(glue={"core": {"platform": {"version": "3.5"}}})

    shown = (await api.admin.get(f"/admin/sessions/{platform.session}")).json()
    assert (shown["version"], shown["env"]) == ("3.5", "")


async def test_hello_returns_only_the_requested_collections(api: Api) -> None:
    platform = await new_platform(api)

    assert (await platform.hello(initialDataRequest=None, includeServerInfo=False)).keys() == {"token", "data"}
    assert (await platform.hello(initialDataRequest={"layouts": {"include": True}}))["data"].keys() == {"layouts"}


async def test_a_platform_that_has_the_data_already_is_sent_none(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello()
    wanted = {kind: {"include": True, "latestDataInfo": info} for kind, info in platform.info.items()}

    again = await platform.hello(initialDataRequest=wanted)
    asked = (await platform.send("POST", "/user", wanted)).json()

    assert [found["hasChanges"] for found in [*again["data"].values(), *asked.values()]] == [False] * 4


async def test_without_a_checksum_the_number_decides(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello()
    platform.info = {kind: {"last": info["last"]} for kind, info in platform.info.items()}
    known = dict(platform.info)

    assert [found["hasChanges"] for found in (await platform.poll()).values()] == [False, False]
    await api.admin.post("/admin/apps", json={"definition": APP, "public": True})
    platform.info = known
    assert (await platform.poll())["applications"] == {
        "hasChanges": True,
        "data": [APP],
        "info": platform.info["applications"],
    }
    platform.info = {}
    assert [found["hasChanges"] for found in (await platform.poll()).values()] == [True, True]


async def test_a_poll_shows_layouts_that_were_saved_elsewhere(each: Api) -> None:
    platform = await new_platform(each)
    await platform.hello()

    await platform.client.post("/layouts", json={"layout": LAYOUT})

    changed = (await platform.poll())["layouts"]
    assert sorted(layout["name"] for layout in changed["data"]) == ["Common", "Morning"]


async def test_a_poll_that_finds_nothing_new_reads_nothing_from_the_database(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello()
    for _ in range(3):
        await platform.poll()

    with statements() as seen:
        found = await platform.poll()

    assert [kind["hasChanges"] for kind in found.values()] == [False, False]
    assert seen == []


async def test_after_a_change_of_an_app_the_definitions_are_read_once_for_all_platforms(api: Api) -> None:
    await api.admin.post("/admin/apps", json={"definition": APP, "public": True})
    platforms = [await new_platform(api, user, "Trading") for user in ("ann", "bob", "cleo")]
    for platform in platforms:
        await platform.hello()
        await platform.poll()
    await api.admin.patch("/admin/apps/blotter", json={"definition": {**APP, "title": "New"}})

    with statements() as seen:
        found = [await platform.poll() for platform in platforms]
        listed = await platforms[0].client.get("/apps")

    assert {kinds["applications"]["data"][0]["title"] for kinds in found} == {"New"}
    assert listed.json() == {"applications": found[0]["applications"]["data"]}
    assert len([statement for statement in seen if "apps.definition" in str(statement)]) == 1


DEAD = ["nonsense", "a.b.c", "Bearer x", "ä", "x" * 9000, "{}", '"', "null", "undefined"]


async def test_an_invalid_token_has_one_message_and_only_below_user(api: Api) -> None:
    platform = await new_platform(api)
    for platform.token in (token for token in DEAD if token.isascii()):
        assert is_invalid_token(await platform.send("POST", "/user", {}))
        assert is_invalid_token(await platform.send("POST", "/user/hello", HELLO))
        assert is_invalid_token(await platform.send("GET", "/user/apps"))
        # Everywhere else the password counts, and the token is not looked at.
        assert (await platform.send("GET", "/apps")).status_code == 200
        assert (await platform.send("GET", "/whoami")).status_code == 200
        alone = {TOKEN_HEADER: platform.token}
        assert is_invalid_token(await api.client(headers=alone).post("/user", json={}))
        assert (await api.client(headers=alone).get("/whoami")).status_code == 401
        assert (await api.client(headers=alone).get("/apps")).status_code == 401


async def test_the_token_alone_is_a_credential(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello()
    alone = api.client(headers={TOKEN_HEADER: platform.token})

    for path in ("/user/apps", "/user/layouts", "/whoami", "/me", "/apps", "/v2/server/info"):
        for _ in range(3):
            assert (await alone.get(path)).status_code == 200, path
    assert (await alone.get("/whoami")).json() == {"id": "ann", "email": None, "groups": [], "apps": []}
    assert (await api.client(headers={TOKEN_HEADER: ""}).get("/user/apps")).status_code == 401


async def test_a_wrong_password_is_refused_also_with_a_valid_token(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello()
    await platform.poll()
    platform.client = api.client(("ann", "wrong"))

    for method, path, body in (("POST", "/user", {}), ("GET", "/user/apps", None)):
        assert (await platform.send(method, path, body)).status_code == 401


async def test_a_token_of_another_user_is_refused(api: Api) -> None:
    ann, bob = await new_platform(api), await new_platform(api, "bob")
    await ann.hello()
    await bob.hello()
    for platform in (ann, bob):
        for _ in range(3):
            await platform.poll()
    ann.token, bob.token = bob.token, ann.token

    assert is_invalid_token(await ann.send("POST", "/user", {"latestDataInfo": bob.info}))
    assert is_invalid_token(await ann.send("GET", "/user/layouts"))
    stolen, ann.token = ann.token, ""
    assert is_invalid_token(await ann.send("POST", "/user/refresh", {"token": stolen}))


async def test_a_header_that_names_a_user_changes_nothing(api: Api) -> None:
    platform = await new_platform(api)
    body = {"type": "Global", "name": "Morning", "definition": json.dumps(LAYOUT)}

    saved = await platform.send("POST", "/user/layouts", {**body, "owner": "admin"}, user="admin")
    alone = await api.client(headers={"user": "ann"}).post("/user", json={})

    assert saved.json()["owner"] == "ann"
    assert (await platform.send("GET", "/whoami", user="admin")).json()["id"] == "ann"
    assert alone.status_code == 401


async def test_a_session_cookie_in_place_of_the_token_is_refused(api: Api) -> None:
    platform = await new_platform(api)
    cookie = (await platform.client.get("/me")).cookies["PLATFORM_SESSION"]
    signed_in = await platform.client.get("/signin?token=true")

    for platform.token in (cookie, signed_in.json()["token"]):
        for _ in range(2):
            assert is_invalid_token(await platform.send("POST", "/user", {}))


async def end_session(api: Api, platform: Platform) -> None:
    await api.admin.delete(f"/admin/sessions/{platform.session}")


async def say_goodbye(_api: Api, platform: Platform) -> None:
    assert (await platform.send("POST", "/user/goodbye", {})).status_code == 204


async def let_it_expire(api: Api, platform: Platform) -> None:
    clock: SettableClock = api.app._manager.clock
    clock.advance(api.config.token_expires_in + 1)
    await platform.client.get("/me")


@pytest.mark.parametrize("end", [end_session, say_goodbye, let_it_expire])
async def test_a_platform_whose_session_has_ended_opens_a_new_one(api: Api, end: Any) -> None:
    platform = await new_platform(api)
    await platform.hello()
    for _ in range(3):
        await platform.poll()

    await end(api, platform)

    assert is_invalid_token(await platform.send("POST", "/user", {"latestDataInfo": platform.info}))
    assert is_invalid_token(await platform.send("POST", "/user/refresh", {"token": platform.token}))
    platform.token = ""
    await platform.hello()
    await platform.poll()


async def test_two_tokens_in_one_request_are_refused(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello()
    twice = [(TOKEN_HEADER, platform.token), (TOKEN_HEADER, platform.token)]

    assert (await platform.client.get("/user/apps", headers=twice)).status_code == 401


async def test_a_session_of_another_user_is_not_ended(api: Api) -> None:
    ann, bob = await new_platform(api), await new_platform(api, "bob")
    await ann.hello()
    await bob.hello()

    assert (await bob.send("POST", "/user/goodbye", {"session": ann.session})).status_code == 404
    await ann.poll()
    bob.token = ""
    assert (await bob.send("POST", "/user/goodbye", {})).status_code == 400


async def test_layouts_of_others_are_neither_seen_nor_changed(each: Api) -> None:
    ann, bob = await new_platform(each), await new_platform(each, "bob")
    body = {"type": "Global", "name": "Morning", "definition": json.dumps(LAYOUT)}
    hers = (await ann.send("POST", "/user/layouts", body)).json()["id"]
    shared = next(each for each in (await bob.send("GET", "/user/layouts")).json() if each["name"] == "Common")["id"]

    async def change(key: str) -> list[int]:
        return [
            (await bob.send("POST", f"/user/layouts/{key}/rename", {"newName": "Mine"})).status_code,
            (await bob.send("DELETE", f"/user/layouts/{key}")).status_code,
        ]

    assert await change(hers) == [404, 404]
    assert (await bob.send("POST", "/user/layouts/default", {"id": hers})).status_code == 404
    assert await change(shared) == [403, 403]
    assert (await bob.send("DELETE", "/user/layouts/")).json()[0]["id"] == shared
    assert sorted(layout["name"] for layout in (await ann.send("GET", "/user/layouts")).json()) == ["Common", "Morning"]


async def test_a_name_that_is_taken_is_not_given_twice(api: Api) -> None:
    platform = await new_platform(api)
    saved = [
        (
            await platform.send(
                "POST", "/user/layouts", {"type": "Global", "name": name, "definition": json.dumps(LAYOUT)}
            )
        )
        for name in ("One", "Two")
    ]
    one = saved[0].json()["id"]

    assert (await platform.send("POST", f"/user/layouts/{one}/rename", {"newName": "Two"})).status_code == 409
    assert (await platform.send("POST", f"/user/layouts/{one}/rename", {"newName": "One"})).status_code == 200


async def test_the_default_stays_with_a_layout_that_is_renamed_and_goes_with_it(api: Api) -> None:
    platform = await new_platform(api)
    body = {"type": "Global", "name": "Morning", "definition": json.dumps(LAYOUT)}
    key = (await platform.send("POST", "/user/layouts", body)).json()["id"]
    await platform.send("POST", "/user/layouts/default", {"id": key})

    renamed = await platform.send("POST", f"/user/layouts/{key}/rename", {"newName": "Noon"})
    assert renamed.json()["default"] is True
    await platform.send("DELETE", f"/user/layouts/{key}")
    await platform.send("POST", "/user/layouts", {**body, "name": "Noon"})
    assert (await platform.send("GET", "/user/layouts/default")).status_code == 204


@pytest.mark.parametrize("definition", ["", "{", "[]", "null", '"x"', '{"components": 7}', "{}\0", '{"a":1e999}'])
async def test_a_definition_that_is_no_layout_is_refused(api: Api, definition: str) -> None:
    platform = await new_platform(api)

    body = {"type": "Global", "name": "Morning", "definition": definition}
    answer = await platform.send("POST", "/user/layouts", body)

    assert answer.status_code == 400
    assert answer.json()["error"]["details"]
    assert (await platform.send("GET", "/user/layouts")).json() == []


async def test_a_merge_keeps_the_other_members_and_replaces_what_is_no_object(api: Api) -> None:
    platform = await new_platform(api)

    async def save(data: Any, *, merge: bool) -> Any:
        body = {"app": "blotter", "data": data, "merge": merge}
        return (await platform.send("POST", "/user/prefs", body)).json()["data"]

    assert await save([1], merge=True) == [1]
    assert await save({"a": 1}, merge=True) == {"a": 1}
    assert await save({"b": {"c": 1}}, merge=True) == {"a": 1, "b": {"c": 1}}
    assert await save({"b": {"d": 1}}, merge=True) == {"a": 1, "b": {"d": 1}}
    # As it is, also where it looks like what desktops send to the preference store.
    assert await save({"app": "x", "data": 1}, merge=False) == {"app": "x", "data": 1}


async def test_a_merge_cannot_exceed_the_quota_of_a_document(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, quotas={"documentBytes": 1000}), clock) as api:
        platform = await new_platform(api)
        halves = [
            await platform.send("POST", "/user/prefs", {"app": "x", "data": {name: "y" * 600}, "merge": True})
            for name in "ab"
        ]

        assert [half.status_code for half in halves] == [200, 413]
        assert (await platform.send("GET", "/user/prefs/x")).json()["data"] == {"a": "y" * 600}


async def test_writes_of_a_platform_are_in_the_audit_under_its_user(api: Api) -> None:
    platform = await new_platform(api)
    await platform.hello()
    body = {"type": "Global", "name": "Morning", "definition": json.dumps(LAYOUT)}
    key = (await platform.send("POST", "/user/layouts", body)).json()["id"]
    await platform.send("POST", f"/user/layouts/{key}/rename", {"newName": "Noon"})
    await platform.send("POST", "/user/prefs", {"app": "blotter", "data": {}})
    await platform.send("DELETE", "/user/layouts/")

    entries = (await api.admin.get("/admin/audit?actor=ann&limit=100")).json()["items"]
    operations = {entry["operation"] for entry in entries}
    assert {"saveUserLayout", "renameUserLayout", "saveUserPreferences", "removeAllUserLayouts"} <= operations


async def test_a_page_of_another_origin_cannot_write(api: Api) -> None:
    platform = await new_platform(api)

    answer = await platform.send("POST", "/user/hello", HELLO, origin="https://evil.example.com")

    assert answer.status_code == 403
    assert (await api.admin.get("/admin/sessions?user=ann")).json()["total"] == 0
