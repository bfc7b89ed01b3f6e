"""Changes that reach members of groups whose changes require approval: one administrator tries every way around it."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

APP = {"name": "x", "type": "window", "details": {"url": "http://x.example"}}
LAYOUT = {"name": "evil", "type": "Global", "components": []}
EVIL = {"file": "system.json", "contents": {"windows": {"defaultWidth": 666}}}
CONTENT_KINDS = ["app", "layout", "config", "preference"]
ALL_KINDS = [*CONTENT_KINDS, "user", "group"]
ADMIN = "PLATFORM_SERVER_ADMIN"


async def running(store: str, clock: SettableClock, kinds: list[str]) -> AsyncIterator[Api]:
    """Eve is in Trading, which inherits from Desk. Tom is in FX, which inherits from Trading. Bo is in neither.

    Off is a disabled member. Zed is no member, and owns a layout that members receive.
    """
    async with running_api(manager_config(store), clock) as first:
        for user in ("ann", "bob"):
            await first.add_user(user, ADMIN)
        await first.add_user("eve", "Trading", "Research")
        await first.add_user("tom", "FX")
        await first.add_user("bo", "Plain")
        await first.add_user("off", "Trading", disabled=True)
        for name, inherited in (("Trading", "Desk"), ("FX", "Trading")):
            changed = await first.admin.patch(f"/admin/groups/{name}", json={"expandsTo": [inherited]})
            assert changed.status_code == 200, changed.text
        for body in (
            {"definition": APP, "accessList": ["Plain"]},
            {"definition": {**APP, "name": "desk-app"}, "accessList": ["Desk"]},
            {"definition": {**APP, "name": "named"}, "accessList": []},
        ):
            assert (await first.admin.post("/admin/apps", json=body)).status_code == 201
        assert (await first.admin.patch("/admin/users/eve", json={"apps": ["named"]})).status_code == 200
        await first.add_user("zed", "Plain")
        for name, owner in (("mine", "ann"), ("theirs", "zed")):
            shared = {"definition": {**LAYOUT, "name": name}, "owner": owner, "accessList": ["Trading"]}
            assert (await first.admin.post("/admin/layouts", json=shared)).status_code == 201
    rules = {"approvalKinds": kinds, "approvalGroups": ["Trading"]}
    # Nobody has made both administrators recently.
    clock.advance(86_401)
    async with running_api(manager_config(store, changes=rules), clock) as api:
        yield api
        assert (await api.admin.get("/admin/audit/verify")).json()["ok"]


@pytest.fixture
async def desk(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on which changes of all kinds that reach Trading require approval."""
    async for api in running(sqlite, clock, ALL_KINDS):
        yield api


@pytest.fixture
async def contents(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on which only the kinds of content require approval, and not users and groups."""
    async for api in running(sqlite, clock, CONTENT_KINDS):
        yield api


def person(api: Api, name: str) -> httpx.AsyncClient:
    return api.client((name, f"{name}-password"))


WAYS: dict[str, tuple[str, str, Any]] = {
    "a file of a member": ("POST", "/admin/configs", {**EVIL, "user": "eve"}),
    "a file of a member through inheritance": ("POST", "/admin/configs", {**EVIL, "user": "tom"}),
    "a file of a group that is inherited": ("POST", "/admin/configs", {**EVIL, "group": "Desk"}),
    "a file of another group of a member": ("POST", "/admin/configs", {**EVIL, "group": "Research"}),
    "a file of a group that inherits": ("POST", "/admin/configs", {**EVIL, "group": "FX"}),
    "a file of a version": ("POST", "/admin/configs", {**EVIL, "version": "10"}),
    "a layout of a member": ("POST", "/admin/layouts", {"definition": LAYOUT, "owner": "eve"}),
    "a layout for a group that is inherited": (
        "POST",
        "/admin/layouts",
        {"definition": LAYOUT, "owner": "*", "accessList": ["Desk"]},
    ),
    "layouts of a member by import": ("POST", "/admin/imports/layouts", {"layouts": [LAYOUT], "owner": "eve"}),
    "preferences of a member": ("POST", "/admin/prefs", {"user": "eve", "app": "x", "data": {"a": 1}}),
    "an app for a group that is inherited": ("PATCH", "/admin/apps/x", {"accessList": ["Desk"]}),
    "an app for another group of a member": ("PATCH", "/admin/apps/x", {"accessList": ["Research"]}),
    "an app of a group that is inherited": (
        "PATCH",
        "/admin/apps/desk-app",
        {"definition": {**APP, "name": "desk-app", "title": "evil"}},
    ),
    "an app that a member has by name": (
        "PATCH",
        "/admin/apps/named",
        {"definition": {**APP, "name": "named", "title": "evil"}},
    ),
    "apps by import": (
        "POST",
        "/admin/imports/apps",
        {"applications": [{**APP, "name": "desk-app", "title": "e"}], "overwrite": True},
    ),
    "the deletion of apps in a batch": (
        "POST",
        "/admin/batches/apps",
        {"key": "k", "action": "delete", "ids": ["desk-app"]},
    ),
    "inheritance of the group": ("PATCH", "/admin/groups/Trading", {"expandsTo": ["Desk", "Plain"]}),
    "inheritance of a group that is inherited": ("PATCH", "/admin/groups/Desk", {"expandsTo": ["Plain"]}),
    "inheritance of another group of a member": ("PATCH", "/admin/groups/Research", {"expandsTo": ["Plain"]}),
    "inheritance from the group": ("PATCH", "/admin/groups/Plain", {"expandsTo": ["Trading"]}),
    "a priority": ("PATCH", "/admin/groups/Research", {"priority": 9}),
    "the deletion of a group that is inherited": ("DELETE", "/admin/groups/Desk", None),
    "a new member": ("PATCH", "/admin/users/bo", {"groups": ["Plain", "Trading"]}),
    "a new member through inheritance": ("PATCH", "/admin/users/bo", {"groups": ["FX"]}),
    "another group of a member": ("PATCH", "/admin/users/eve", {"groups": ["Trading", "Plain"]}),
    "a member who leaves": ("PATCH", "/admin/users/eve", {"groups": ["Research"]}),
    "the deletion of a member": ("DELETE", "/admin/users/eve", None),
    "the deletion of members in a batch": (
        "POST",
        "/admin/batches/users",
        {"key": "k", "action": "delete", "ids": ["tom"]},
    ),
    "a member who is enabled": ("PATCH", "/admin/users/off", {"disabled": False}),
    "members who are enabled in a batch": (
        "POST",
        "/admin/batches/users",
        {"key": "k", "action": "enable", "ids": ["off"]},
    ),
    "a password with which somebody else could act as a member": (
        "PATCH",
        "/admin/users/eve",
        {"password": "known to somebody else"},
    ),
    "the deletion of the owner of a layout": ("DELETE", "/admin/users/zed", None),
    "the deletion of the owner of a layout in a batch": (
        "POST",
        "/admin/batches/users",
        {"key": "k", "action": "delete", "ids": ["zed"]},
    ),
    "an app for a member by name": ("PATCH", "/admin/users/eve", {"apps": ["x"]}),
    "apps for a member in a batch": (
        "POST",
        "/admin/batches/users",
        {"key": "k", "action": "grantApps", "ids": ["tom"], "arguments": {"apps": ["x"]}},
    ),
    "a new member from a CSV file": (
        "POST",
        "/admin/batches/users/import",
        {"key": "k", "csv": "id,groups\nbo,FX\n", "count": 1},
    ),
}
"""Changes that do not name the group, and alter what its members receive."""


async def accepted(api: Api) -> dict[str, str]:
    """Try all ways; return those that did not become a proposal."""
    ann, found = person(api, "ann"), {}
    for way, (method, path, body) in WAYS.items():
        answer = await ann.request(method, path, json=body)
        if answer.status_code != 202:
            found[way] = f"{answer.status_code} {answer.text}"
    return found


@pytest.mark.long
async def test_each_change_that_reaches_a_member_requires_approval(desk: Api) -> None:
    assert await accepted(desk) == {}


@pytest.mark.long
async def test_it_requires_approval_also_if_users_and_groups_do_not(contents: Api) -> None:
    assert await accepted(contents) == {}


@pytest.mark.long
async def test_changes_that_reach_no_member_are_made_at_once(desk: Api) -> None:
    ann = person(desk, "ann")
    for method, path, body in (
        ("POST", "/admin/configs", {**EVIL, "user": "bo"}),
        ("POST", "/admin/configs", {**EVIL, "group": "Plain"}),
        ("POST", "/admin/layouts", {"definition": LAYOUT, "owner": "bo"}),
        ("POST", "/admin/layouts", {"definition": LAYOUT, "owner": "*", "accessList": ["Plain"]}),
        ("POST", "/admin/prefs", {"user": "bo", "app": "x", "data": {}}),
        ("PATCH", "/admin/apps/x", {"definition": {**APP, "title": "new"}}),
        ("PATCH", "/admin/groups/Plain", {"expandsTo": ["Other"]}),
        ("PATCH", "/admin/users/bo", {"groups": ["Plain", "Other"], "apps": ["x"]}),
        ("POST", "/admin/users", {"id": "new", "groups": ["Plain"]}),
    ):
        answer = await ann.request(method, path, json=body)
        assert answer.status_code in (200, 201), (path, answer.text)
    eve = person(desk, "eve")
    assert (await eve.post("/layouts", json={"layout": LAYOUT})).status_code == 201
    assert (await eve.post("/prefs", json={"app": "x", "data": {"a": 1}})).status_code == 201


@pytest.mark.long
@pytest.mark.parametrize("path", ["/layouts", "/user/layouts"])
async def test_administrators_cannot_change_a_shared_layout_of_their_own_as_a_user(desk: Api, path: str) -> None:
    ann = person(desk, "ann")
    definition = {**LAYOUT, "name": "mine", "metadata": {"evil": True}}
    text = '{"components": [], "metadata": {"evil": true}}'
    bodies = {
        "/layouts": {"layout": definition},
        "/user/layouts": {"name": "mine", "type": "Global", "definition": text},
    }
    refused = await ann.post(path, json=bodies[path])
    assert refused.status_code == 403, refused.text
    assert "shared" in refused.json()["error"]["message"]
    refused = await ann.request("DELETE", "/layouts", json={"name": "mine", "type": "Global"})
    assert refused.status_code == 403
    kept = (await person(desk, "eve").get("/layouts")).json()["layouts"]
    assert [layout.get("metadata") for layout in kept if layout["name"] == "mine"] == [None]


@pytest.mark.long
async def test_a_deleted_member_and_a_restored_file_are_no_way_around_it(desk: Api) -> None:
    ann, bob = person(desk, "ann"), person(desk, "bob")
    made = await ann.post("/admin/configs", json={**EVIL, "user": "bo"})
    assert made.status_code == 201
    key, revision = made.json()["id"], made.json()["revision"]
    assert (await ann.delete(f"/admin/configs/{key}")).status_code == 204
    joined = await ann.patch("/admin/users/bo", json={"groups": ["Trading"]})
    approved = await bob.post(f"/admin/proposals/{joined.json()['proposal']['id']}/approve")
    assert approved.status_code == 200, approved.text
    back = await ann.post(f"/admin/configs/{key}/rollback", json={"revision": revision})
    assert back.status_code == 202, back.text
    everything = await ann.post("/admin/history/configs/rollback", json={"revision": revision})
    assert everything.status_code == 202, everything.text


@pytest.mark.long
async def test_a_user_is_deleted_with_a_layout_of_members_only_by_approval(contents: Api) -> None:
    ann, bob, eve = person(contents, "ann"), person(contents, "bob"), person(contents, "eve")
    # The owner of the layout did not exist at this revision; nothing else of this kind has changed since.
    created = (await ann.get("/admin/users/zed/revisions")).json()["items"][-1]["revision"]
    back = await ann.post("/admin/history/users/rollback", json={"revision": created - 1})
    assert back.status_code == 202, back.text

    deleted = await ann.delete("/admin/users/zed")
    assert deleted.status_code == 202, deleted.text
    proposal = deleted.json()["proposal"]["id"]
    (item,) = (await bob.get(f"/admin/proposals/{proposal}")).json()["effect"]["items"]
    assert (item["users"], item["layouts"]["lost"]) == (["eve", "tom"], [{"name": "theirs", "type": "Global"}])
    # What users save themselves is deleted with them, and does not make the proposal invalid.
    zed = person(contents, "zed")
    assert (await zed.post("/prefs", json={"app": "x", "data": {"a": 1}})).status_code == 201
    assert (await zed.post("/layouts", json={"layout": {**LAYOUT, "name": "own"}})).status_code == 201
    assert "theirs" in (await eve.get("/layouts")).text
    approved = await bob.post(f"/admin/proposals/{proposal}/approve")
    assert approved.status_code == 200, approved.text
    assert "theirs" not in (await eve.get("/layouts")).text


@pytest.mark.long
@pytest.mark.parametrize("kinds", [["user", "group"], pytest.param(ALL_KINDS, marks=pytest.mark.long)])
async def test_members_are_locked_out_at_once_and_let_in_by_approval(
    sqlite: str, clock: SettableClock, kinds: list[str]
) -> None:
    async for api in running(sqlite, clock, kinds):
        ann, eve = person(api, "ann"), person(api, "eve")
        for body in ({"disabled": True, "groups": []}, {"disabled": True, "email": "e@example.com"}):
            more = await ann.patch("/admin/users/eve", json=body)
            assert more.status_code == 202, more.text
        assert (await eve.get("/apps")).status_code == 200
        locked = await ann.patch("/admin/users/eve", json={"disabled": True})
        assert locked.status_code == 200, locked.text
        batch = {"key": "k", "action": "disable", "ids": ["tom"]}
        assert (await ann.post("/admin/batches/users", json=batch)).status_code == 201
        for member in ("eve", "tom"):
            assert (await person(api, member).get("/apps")).status_code == 401
        unlocked = await ann.patch("/admin/users/eve", json={"disabled": False})
        assert unlocked.status_code == 202, unlocked.text
        link = await ann.post("/admin/password-links", json={"users": ["eve"]})
        assert '"token":null' in link.text.replace(" ", ""), link.text
