"""Receipts: clients show what they have applied, administrators see who has a change and who has not."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.purge import purge
from rostrum.manager.receipts.repository import Receipts
from tests.conftest import Api, manager_config, running_api

APP = {"name": "blotter", "type": "window", "details": {"url": "https://blotter.example.com"}}


@pytest.fixture
async def desks(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each database in turn."""
    async with running_api(manager_config(store), clock) as running:
        yield running


class Desk:
    """A running client of a user."""

    def __init__(self, client: httpx.AsyncClient, session: str) -> None:
        self.client = client
        self.session = session

    async def applied(self, **revisions: int) -> httpx.Response:
        return await self.client.patch(f"/sessions/{self.session}", json={"applied": revisions})


async def desk(api: Api, user: str, *groups: str) -> Desk:
    client = await api.add_user(user, *groups)
    answer = await client.post("/sessions", json={"machine": {"name": f"pc of {user}"}})
    return Desk(client, answer.json()["id"])


async def receipts(api: Api, **query: Any) -> Any:
    answer = await api.admin.get("/admin/sessions/receipts", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def change_apps(api: Api) -> int:
    """Change something for everyone; the revision of it."""
    before = await api.admin.get("/admin/apps/blotter")
    if before.status_code == 404:
        answer = await api.admin.post("/admin/apps", json={"definition": APP, "public": True})
    else:
        answer = await api.admin.patch("/admin/apps/blotter", json={"disabled": not before.json()["disabled"]})
    return int(answer.json()["revision"])


def users(found: Any) -> list[str]:
    return [item["user"] for item in found["items"]]


async def test_administrators_see_who_has_a_change_and_who_has_not(desks: Api) -> None:
    ann, bob = await desk(desks, "ann"), await desk(desks, "bob")
    revision = await change_apps(desks)
    assert (await ann.applied(apps=revision)).status_code == 200

    found = await receipts(desks, kind="apps", revision=revision, sort="user")

    assert (found["total"], found["applied"], found["pending"]) == (2, 1, 1)
    has, has_not = found["items"]
    assert (has["user"], has["session"], has["due"], has["revision"]) == ("ann", ann.session, revision, revision)
    assert has["applied"]
    assert has["reported"] is not None
    assert (has_not["session"], has_not["revision"], has_not["reported"]) == (bob.session, None, None)
    assert not has_not["applied"]
    missing = await receipts(desks, kind="apps", revision=revision, applied="false")
    assert (users(missing), missing["total"], missing["applied"]) == (["bob"], 1, 1)


async def test_a_change_is_pending_only_for_those_whom_it_concerns(desks: Api) -> None:
    ann, _ = await desk(desks, "ann"), await desk(desks, "bob")
    made = await desks.admin.post("/admin/prefs", json={"user": "ann", "app": "blotter", "data": {}})
    command = await desks.admin.post("/admin/commands", json={"session": ann.session, "command": "Restart"})
    assert command.status_code == 201

    assert users(await receipts(desks, kind="prefs", revision=made.json()["revision"])) == ["ann"]
    assert users(await receipts(desks, kind="commands", applied="false")) == ["ann"]
    # Without a revision everyone is listed; who is concerned by nothing has all there is.
    everyone = await receipts(desks, kind="prefs", sort="user")
    assert [(item["user"], item["due"] > 0, item["applied"]) for item in everyone["items"]] == [
        ("ann", True, False),
        ("bob", False, True),
    ]


@pytest.mark.long
async def test_an_app_is_pending_for_those_who_get_it_and_for_those_who_lose_it(desks: Api) -> None:
    for user, group in (("ann", "Desk"), ("bob", "Floor"), ("cid", "Other")):
        await desk(desks, user, group)

    async def due(method: str, path: str, body: Any = None, kind: str = "apps") -> list[str]:
        answer = await desks.admin.request(method, path, json=body)
        assert answer.is_success, answer.text
        newest = (await desks.admin.get("/admin/audit?limit=1")).json()["items"][0]["revision"]
        return users(await receipts(desks, kind=kind, revision=newest, sort="user"))

    shared = {"definition": APP, "accessList": ["Desk"]}
    assert await due("POST", "/admin/apps", shared) == ["ann"]
    assert await due("PATCH", "/admin/apps/blotter", {"accessList": ["Desk", "Floor"]}) == ["bob"]
    assert await due("PATCH", "/admin/apps/blotter", {"definition": {**APP, "title": "Blotter"}}) == ["ann", "bob"]
    assert await due("PATCH", "/admin/apps/blotter", {"accessList": ["Floor"]}) == ["ann"]
    assert await due("PATCH", "/admin/apps/blotter", {"public": True}) == ["ann", "bob", "cid"]
    assert await due("PATCH", "/admin/apps/blotter", {"public": False}) == ["ann", "bob", "cid"]
    assert await due("DELETE", "/admin/apps/blotter") == ["bob"]
    file = {"file": "system.json", "contents": {}, "group": "Floor"}
    assert await due("POST", "/admin/configs", file, "systemConfig") == ["bob"]
    layout = {"definition": {"name": "Morning", "type": "Global", "components": []}, "owner": "ann"}
    assert await due("POST", "/admin/layouts", {**layout, "accessList": ["Other"]}, "layouts") == ["ann", "cid"]


async def test_who_has_the_revision_asked_about_is_fine_although_something_newer_is_pending(desks: Api) -> None:
    ann = await desk(desks, "ann")
    first = await change_apps(desks)
    await ann.applied(apps=first)
    second = await change_apps(desks)

    assert (await receipts(desks, kind="apps", revision=first))["items"][0]["applied"]
    assert not (await receipts(desks, kind="apps", revision=second))["items"][0]["applied"]
    assert not (await receipts(desks, kind="apps"))["items"][0]["applied"]


async def test_kinds_are_reported_apart_and_a_late_report_takes_nothing_back(desks: Api) -> None:
    ann = await desk(desks, "ann")
    first, second = await change_apps(desks), await change_apps(desks)
    await ann.applied(apps=second, systemConfig=first)
    await ann.applied(apps=first)

    assert (await receipts(desks, kind="apps"))["items"][0]["revision"] == second
    assert (await receipts(desks, kind="systemConfig"))["items"][0]["revision"] == first
    assert (await receipts(desks, kind="layouts"))["items"][0]["revision"] is None


async def test_ended_and_silent_sessions_have_nothing_pending(desks: Api, clock: SettableClock) -> None:
    ann, bob, cid = [await desk(desks, user) for user in ("ann", "bob", "cid")]
    await ann.client.delete(f"/sessions/{ann.session}")
    clock.advance(200)
    await bob.applied()
    clock.advance(200)
    assert cid.session

    assert users(await receipts(desks, kind="apps")) == ["bob"]


@pytest.mark.parametrize(
    "applied", [{"apps": 10**6}, {"apps": -1}, {"apps": "1"}, {"apps": 1.5}, {"apps": 2**80}, {"prefs": True}, [], "x"]
)
async def test_no_desktop_has_applied_a_revision_that_does_not_exist(api: Api, applied: Any) -> None:
    ann = await desk(api, "ann")

    answer = await ann.client.patch(f"/sessions/{ann.session}", json={"applied": applied})

    assert answer.status_code == 400
    assert all(detail["path"].startswith("applied") for detail in answer.json()["error"]["details"])
    assert (await receipts(api, kind="apps"))["items"][0]["revision"] is None


async def test_only_the_session_of_ones_own_is_reported_on(api: Api) -> None:
    ann, bob = await desk(api, "ann"), await desk(api, "bob")

    answer = await bob.client.patch(f"/sessions/{ann.session}", json={"applied": {"apps": 1}})

    assert answer.status_code == 404


@pytest.mark.parametrize("query", ["kind=access", "kind=x", "kind=apps&revision=-1", "kind=apps&due=x"])
async def test_a_wrong_question_is_refused(api: Api, query: str) -> None:
    assert (await api.admin.get(f"/admin/sessions/receipts?{query}")).status_code == 400


async def test_receipts_go_with_their_session(desks: Api, clock: SettableClock) -> None:
    ann = await desk(desks, "ann")
    await ann.applied(apps=1)
    clock.advance(91 * 24 * 60 * 60)
    storage = desks.app._manager.storage
    await purge(storage, desks.config)
    bob = await desk(desks, "bob")
    await bob.applied(apps=1)
    await purge(storage, desks.config)

    async with storage.read() as work:
        rows = await work.of(Receipts)._connection.exec_driver_sql("SELECT session_id FROM receipts")
        assert [row.session_id for row in rows] == [bob.session]
