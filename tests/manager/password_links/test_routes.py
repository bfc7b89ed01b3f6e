"""Links for passwords: used once, never stored in clear, and refused where a password could not be set."""

import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

WRITER = "PLATFORM_MANAGER:USERS:WRITE"


@pytest.fixture
async def either(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each database in turn."""
    async with running_api(manager_config(store), clock) as running:
        yield running


async def new_link(api: Api, user: str, client: httpx.AsyncClient | None = None) -> str:
    made = await (client or api.admin).post("/admin/password-links", json={"users": [user]})
    assert made.status_code == 201, made.text
    assert made.headers["cache-control"] == "no-store"
    (item,) = made.json()["items"]
    assert item["result"] == "created", item
    return str(item["token"])


async def use(api: Api, token: str, password: str = "a new password") -> int:
    return (await api.client().post("/password-links/use", json={"token": token, "password": password})).status_code


async def opened(api: Api, token: str) -> int:
    return (await api.client().post("/password-links/open", json={"token": token})).status_code


async def test_a_link_sets_one_password_and_is_then_used_up(either: Api, caplog: pytest.LogCaptureFixture) -> None:
    api = either
    assert (await api.admin.post("/admin/users", json={"id": "ann", "displayName": "Ann A"})).status_code == 201
    caplog.set_level(logging.DEBUG)
    token = await new_link(api, "ann")

    shown = await api.client().post("/password-links/open", json={"token": token})
    assert shown.json() == {"user": "ann", "displayName": "Ann A", "expires": "2026-01-04T00:00:00Z"}
    weak = await api.client().post("/password-links/use", json={"token": token, "password": "short"})
    assert (weak.status_code, weak.json()["error"]["details"][0]["path"]) == (400, "password")
    assert await use(api, token) == 204

    assert (await api.client(("ann", "a new password")).get("/me")).status_code == 200
    assert [await use(api, token, "yet another one"), await opened(api, token)] == [403, 403]
    assert (await api.client(("ann", "a new password")).get("/me")).status_code == 200
    entries = (await api.admin.get("/admin/audit")).json()["items"]
    told = {entry["operation"]: (entry["actor"], [change["kind"] for change in entry["changes"]]) for entry in entries}
    assert told["createPasswordLinks"] == ("admin", ["passwordLink"])
    assert told["usePasswordLink"] == ("ann", ["user", "passwordLink"])
    exported = await api.admin.get("/admin/audit")
    assert token not in caplog.text + exported.text + json.dumps(entries)


async def test_the_secret_part_is_not_stored(api: Api, sqlite: str) -> None:
    await api.add_user("ann")
    token = await new_link(api, "ann")
    with closing(sqlite3.connect(sqlite.removeprefix("sqlite:///"))) as connection:
        rows = connection.execute("SELECT * FROM password_links").fetchall()
    assert len(rows) == 1
    assert token not in str(rows)


@pytest.mark.parametrize(
    "event", ["newer link", "password", "own password", "disabled", "disabled and enabled", "deleted", "expired"]
)
async def test_a_link_ends_with(api: Api, clock: SettableClock, event: str) -> None:
    ann = await api.add_user("ann")
    token = await new_link(api, "ann")
    assert await opened(api, token) == 200
    if event == "newer link":
        assert await opened(api, await new_link(api, "ann")) == 200
    elif event == "password":
        await api.admin.patch("/admin/users/ann", json={"password": "other password"})
    elif event == "own password":
        body = {"current": "ann-password", "new": "other password"}
        assert (await ann.put("/me/password", json=body)).status_code == 204
    elif event.startswith("disabled"):
        await api.admin.patch("/admin/users/ann", json={"disabled": True})
        if event.endswith("enabled"):
            await api.admin.patch("/admin/users/ann", json={"disabled": False})
    elif event == "deleted":
        await api.admin.delete("/admin/users/ann")
        await api.add_user("ann")
    else:
        clock.advance(72 * 3600)

    assert [await opened(api, token), await use(api, token)] == [403, 403]


async def test_a_link_is_refused_where_the_caller_could_not_set_the_password(api: Api) -> None:
    clerk = await api.add_user("clerk", WRITER)
    await api.add_user("ann")
    await api.admin.post("/admin/users", json={"id": "robot", "service": True})
    await api.admin.post("/admin/users", json={"id": "gone", "disabled": True})
    body = {"users": ["ann", "admin", "robot", "gone", "nobody", "clerk"]}

    made = await clerk.post("/admin/password-links", json=body)

    items = {item["user"]: item for item in made.json()["items"]}
    assert {user: item["result"] for user, item in items.items()} == {
        "ann": "created",
        **dict.fromkeys(["admin", "robot", "gone", "nobody", "clerk"], "refused"),
    }
    assert "PLATFORM_SERVER_ADMIN" in items["admin"]["message"]
    assert "service account" in items["robot"]["message"]
    assert all(item["token"] is None for item in items.values() if item["result"] == "refused")
    token = (await api.admin.post("/me/tokens", json={"name": "t", "permissions": [WRITER], "expiresInDays": 1})).json()
    program = api.client(headers={"authorization": f"Bearer {token['token']}"})
    assert (await program.post("/admin/password-links", json={"users": ["ann"]})).status_code == 403


async def test_guesses_are_throttled_and_do_not_block_other_links(api: Api) -> None:
    await api.add_user("ann")
    token = await new_link(api, "ann")
    guesses = [await opened(api, f"guess {number}") for number in range(60)]
    assert guesses[:50] == [403] * 50
    assert guesses[-1] == 429
    assert await opened(api, token) == 429


async def test_where_changes_need_approval_or_a_comment_links_cannot_circumvent_it(
    sqlite: str, clock: SettableClock
) -> None:
    changes = {"approvalKinds": ["user"], "commentRequired": ["user"]}
    async with running_api(manager_config(sqlite, changes=changes), clock) as api:
        headers = {"change-comment": "because"}
        assert (await api.admin.post("/admin/password-links", json={"users": ["admin"]})).status_code == 400
        await api.admin.post("/admin/users", json={"id": "ann"}, headers=headers)
        proposal = (await api.admin.get("/admin/proposals")).json()["items"][0]["id"]
        assert proposal
        made = await api.admin.post("/admin/password-links", json={"users": ["admin", "ann"]}, headers=headers)
        assert [item["result"] for item in made.json()["items"]] == ["refused", "refused"]


async def test_own_sessions_are_listed_and_all_end_at_once(api: Api) -> None:
    ann = await api.add_user("ann")
    desktop = await ann.post("/sessions", json={"machine": {"name": "pc"}, "version": "10.1"})
    cookie = (await ann.get("/me")).cookies["PLATFORM_SESSION"]
    page = {"cookie": f"PLATFORM_SESSION={cookie}", "origin": "http://manager.example.com"}
    bearer = {"authorization": f"Bearer {desktop.json()['token']}"}
    token = (await ann.post("/me/tokens", json={"name": "t", "permissions": [], "expiresInDays": 1})).json()["token"]
    program = {"authorization": f"Bearer {token}"}

    seen = (await api.client().get("/me/sessions", headers=bearer)).json()
    assert [(each["version"], each["current"]) for each in seen["desktops"]] == [("10.1", True)]
    assert [(each["address"], each["current"]) for each in seen["signIns"]] == [("127.0.0.9", True)]
    assert (await api.client().post("/me/sign-out-everywhere", json={}, headers=program)).status_code == 403

    done = await api.client().post("/me/sign-out-everywhere", json={}, headers=page)

    assert (done.status_code, 'PLATFORM_SESSION=""' in done.headers["set-cookie"].replace("=;", '="";')) == (204, True)
    statuses = [(await api.client().get("/me", headers=each)).status_code for each in (page, bearer, program)]
    assert statuses == [401, 401, 200]
    assert (await ann.get("/me")).status_code == 200
    assert (await ann.get("/me/sessions")).json()["desktops"] == []
    everything = await ann.post("/me/sign-out-everywhere", json={"apiTokens": True})
    assert everything.status_code == 204
    assert (await api.client().get("/me", headers=program)).status_code == 401


async def test_an_administrator_ends_all_sessions_of_a_user(either: Api) -> None:
    api = either
    ann = await api.add_user("ann", "Desk")
    desktop = await ann.post("/sessions", json={"machine": {"name": "pc"}, "version": "10.1"})
    cookie = (await ann.get("/me")).cookies["PLATFORM_SESSION"]
    page = {"cookie": f"PLATFORM_SESSION={cookie}", "origin": "http://manager.example.com"}
    bearer = {"authorization": f"Bearer {desktop.json()['token']}"}
    token = (await ann.post("/me/tokens", json={"name": "t", "permissions": [], "expiresInDays": 1})).json()["token"]
    program = {"authorization": f"Bearer {token}"}
    helper = await api.add_user("helper", WRITER)
    link = await new_link(api, "ann")
    reason = {"change-comment": "Lost laptop", "change-ticket": "SEC-1"}

    done = await helper.post("/admin/users/ann/sign-out", json={"apiTokens": False}, headers=reason)

    assert (done.status_code, done.json()) == (200, {"user": "ann", "desktops": 1, "apiTokens": 0, "plannedWork": 0})
    statuses = [(await api.client().get("/me", headers=each)).status_code for each in (page, bearer, program)]
    assert statuses == [401, 401, 200]
    assert await opened(api, link) == 403
    assert (await ann.get("/me")).status_code == 200
    entry = (await api.admin.get("/admin/audit", params={"operation": "signOutUser"})).json()["items"][0]
    assert (entry["actor"], entry["comment"], entry["ticket"]) == ("helper", "Lost laptop", "SEC-1")
    assert {change["kind"] for change in entry["changes"]} >= {"login"}

    everything = await api.admin.post("/admin/users/ann/sign-out", json={})
    assert everything.json() == {"user": "ann", "desktops": 0, "apiTokens": 1, "plannedWork": 0}
    assert (await api.client().get("/me", headers=program)).status_code == 401
    assert (await helper.post("/admin/users/admin/sign-out", json={})).status_code == 403
    assert (await api.admin.post("/admin/users/nobody/sign-out", json={})).status_code == 404
    assert (await api.admin.post("/admin/users/ann/sign-out", json={"apiTokens": "x"})).status_code == 400
    assert (await ann.post("/admin/users/helper/sign-out", json={})).status_code == 403
