"""Previews of changes, over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base import json_text
from rostrum.contracts.previews import PreviewRequest
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.preview import service as previews
from rostrum.manager.preview.service import Preview, PreviewService, Progress
from rostrum.manager.storage import Storage
from rostrum.manager.topics import manager_storage
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from tests.conftest import Api

APP = {"name": "blotter", "type": "window", "details": {"url": "https://blotter.example.com"}}
LAYOUT = {"name": "Morning", "type": "Global", "components": []}
KINDS = ("apps", "layouts", "configs", "users", "groups")


@pytest.fixture
async def firm(api: Api) -> Api:
    """Three traders, one of them with a value of her own, and a clerk."""
    await api.admin.post("/admin/groups", json={"name": "Equities", "expandsTo": ["Trading"]})
    for user, group in (("ann", "Equities"), ("bob", "Equities"), ("eve", "Trading"), ("kim", "Office")):
        await api.admin.post("/admin/users", json={"id": user, "groups": [group]})
    await keep(api, {"notifications": {"toastExpiry": 9000}, "tray": {"exit": True}})
    await keep(api, {"notifications": {"toastExpiry": 1000}}, user="ann")
    await keep(api, {"tray": {"exit": False}}, version="10")
    await api.admin.post("/admin/apps", json={"definition": APP, "accessList": ["Equities"]})
    await api.admin.post("/admin/layouts", json={"definition": LAYOUT, "accessList": ["Trading"], "default": True})
    return api


@pytest.fixture
async def storage(api: Api) -> AsyncIterator[Storage]:
    """The manager's data, read from beside it."""
    storage = manager_storage(api.config.store)
    yield storage
    await storage.close()


async def keep(api: Api, contents: Any, **scope: str) -> None:
    answer = await api.admin.post("/admin/configs", json={"file": "system.json", "contents": contents, **scope})
    assert answer.status_code == 201, answer.text


async def key(api: Api, kind: str, **filters: str) -> str:
    (item,) = (await api.admin.get(f"/admin/{kind}", params=filters)).json()["items"]
    return str(item["id"])


async def preview(client: httpx.AsyncClient, kind: str, *changes: Any, **members: Any) -> Any:
    answer = await client.post(f"/admin/previews/{kind}", json={"changes": list(changes), **members})
    assert answer.status_code == 200, answer.text
    return answer.json()


def change(key: str, **document: Any) -> dict[str, Any]:
    return {"action": "change", "key": key, "document": document}


def named(said: Any) -> list[list[str] | None]:
    return [item["users"] for item in said["items"]]


async def test_a_value_is_seen_with_whom_it_touches_and_for_which_versions(firm: Api) -> None:
    base = await key(firm, "configs", scope="base")

    said = await preview(
        firm.admin, "configs", change(base, contents={"notifications": {"toastExpiry": 5000}, "tray": {}})
    )

    assert (said["users"], said["affected"], said["total"], said["versions"]) == (5, 5, 2, ["*", "10"])
    assert named(said) == [["admin", "bob", "eve", "kim"], ["ann"]]
    assert said["items"][0]["configs"] == [
        {
            "file": "system.json",
            "path": "notifications.toastExpiry",
            "versions": ["*", "10"],
            "change": "changed",
            "before": 9000,
            "after": 5000,
            "large": False,
        },
        {
            "file": "system.json",
            "path": "tray.exit",
            "versions": ["*"],
            "change": "removed",
            "before": True,
            "after": None,
            "large": False,
        },
    ]
    assert [value["path"] for value in said["items"][1]["configs"]] == ["tray.exit"]
    assert said["items"][0]["apps"] is None


async def test_results_that_would_not_fit_the_catalogue_are_reported_with_their_users(firm: Api) -> None:
    base = await key(firm, "configs", scope="base")
    wrong = {"notifications": {"toastExpiry": "soon"}, "tray": {"exit": True}}

    said = await preview(firm.admin, "configs", change(base, contents=wrong))

    (problem,) = said["problems"]
    assert (problem["file"], problem["path"], problem["severity"]) == (
        "system.json",
        "notifications.toastExpiry",
        "error",
    )
    # Ann sets it herself, and rightly.
    assert (problem["count"], problem["users"]) == (4, ["admin", "bob", "eve", "kim"])
    assert said["solved"] == []
    await firm.admin.patch(f"/admin/configs/{base}", json={"contents": wrong})
    back = await preview(firm.admin, "configs", {"action": "delete", "key": base})
    assert [(each["path"], each["count"]) for each in back["solved"]] == [("notifications.toastExpiry", 4)]


async def test_access_to_an_app_is_gained_and_lost(firm: Api) -> None:
    said = await preview(firm.admin, "apps", change("blotter", accessList=["Trading", "Brand New"]))
    assert named(said) == [["eve"]]
    assert said["items"][0]["apps"] == {"gained": ["blotter"], "lost": [], "changed": []}

    said = await preview(firm.admin, "apps", change("blotter", disabled=True))
    assert (named(said), said["items"][0]["apps"]["lost"]) == ([["ann", "bob"]], ["blotter"])

    said = await preview(firm.admin, "apps", change("blotter", definition={**APP, "title": "New"}))
    assert (named(said), said["items"][0]["apps"]["changed"]) == ([["ann", "bob"]], ["blotter"])

    same = await preview(firm.admin, "apps", change("blotter", definition=APP, accessList=["Equities"]))
    assert (same["affected"], same["items"]) == (0, [])


async def test_an_app_that_is_deleted_and_made_again_is_not_given_to_those_who_had_it(firm: Api) -> None:
    await firm.admin.patch("/admin/users/kim", json={"apps": ["blotter"]})

    said = await preview(
        firm.admin,
        "apps",
        {"action": "delete", "key": "blotter"},
        {"action": "create", "document": {"definition": APP}},
    )

    assert named(said) == [["ann", "bob", "kim"]]


async def test_sharing_a_layout_shows_the_default_it_changes(firm: Api) -> None:
    layout = await key(firm, "layouts", name="Morning")

    said = await preview(firm.admin, "layouts", change(layout, accessList=["Office"]))

    morning = {"type": "Global", "name": "Morning"}
    by_users = {tuple(item["users"]): item for item in said["items"]}
    assert set(by_users) == {("ann", "bob", "eve"), ("kim",)}
    assert by_users["kim",]["layouts"]["gained"] == [morning]
    assert by_users["kim",]["defaultLayout"] == {"before": None, "after": morning}
    assert by_users["ann", "bob", "eve"]["defaultLayout"] == {"before": morning, "after": None}


async def test_a_membership_shows_all_that_comes_with_it(firm: Api) -> None:
    await keep(firm, {"alerts": {"ttl": 1}}, group="Equities")

    said = await preview(firm.admin, "users", change("kim", groups=["Equities"]))

    (item,) = said["items"]
    assert item["users"] == ["kim"]
    assert item["groups"] == {"gained": ["Equities", "Trading"], "lost": ["Office"], "changed": []}
    assert item["apps"]["gained"] == ["blotter"]
    assert item["layouts"]["gained"] == [{"type": "Global", "name": "Morning"}]
    assert [(value["path"], value["after"]) for value in item["configs"]] == [("alerts.ttl", 1)]


async def test_what_becomes_of_an_account_is_reported(firm: Api) -> None:
    async def account(proposal: dict[str, Any]) -> tuple[str, list[str]]:
        (item,) = (await preview(firm.admin, "users", proposal))["items"]
        return item["account"], item["apps"]["gained"] + item["apps"]["lost"]

    assert await account(change("ann", disabled=True)) == ("disabled", ["blotter"])
    assert await account({"action": "delete", "key": "ann"}) == ("deleted", ["blotter"])
    new = {"action": "create", "document": {"id": "zoe", "groups": ["Equities"]}}
    assert await account(new) == ("created", ["blotter"])


async def test_a_group_shows_what_its_expansion_changes(firm: Api) -> None:
    said = await preview(firm.admin, "groups", change("Trading", expandsTo=["Equities"]))

    (item,) = said["items"]
    assert (item["users"], item["groups"]["gained"], item["apps"]["gained"]) == (["eve"], ["Equities"], ["blotter"])
    refused = await firm.admin.post(
        "/admin/previews/groups", json={"changes": [{"action": "delete", "key": "PLATFORM_SERVER_ADMIN"}]}
    )
    assert refused.status_code == 409


@pytest.mark.long
async def test_users_with_the_same_outcome_are_one_item_whose_names_come_in_pages(api: Api, storage: Storage) -> None:
    async with storage.write("test") as work:
        for number in range(300):
            await work.of(Users).add(User(id=f"user{number:03}", groups=("Desk",), stamp=work.stamp()))
    await api.admin.post("/admin/apps", json={"definition": APP})
    proposal = change("blotter", accessList=["Desk"])

    said = await preview(api.admin, "apps", proposal)
    assert (said["affected"], said["total"]) == (300, 1)
    (item,) = said["items"]
    assert (item["count"], item["users"]) == (300, [f"user{number:03}" for number in range(20)])
    more = await preview(api.admin, "apps", proposal, only=item["id"], names=2, namesOffset=298)
    assert named(more) == [["user298", "user299"]]
    assert (await preview(api.admin, "apps", proposal, only="other"))["items"] == []


async def test_the_progress_is_answered_line_by_line(firm: Api) -> None:
    body = {"changes": [change("blotter", public=True)]}
    answer = await firm.admin.post("/admin/previews/apps", json=body, headers={"Accept": "application/x-ndjson"})

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = [json_text.parse(line) for line in answer.text.splitlines()]
    assert lines[-2] == {"progress": {"done": 5, "of": 5}}
    plain = await firm.admin.post("/admin/previews/apps", json=body)
    assert lines[-1] == {"result": plain.json()}
    missing = {"changes": [change("nothing", public=True)]}
    refused = await firm.admin.post("/admin/previews/apps", json=missing, headers={"Accept": "application/x-ndjson"})
    assert refused.status_code == 404


async def test_other_work_continues_between_slices(
    firm: Api, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "_SLICE_SECONDS", 0)
    monkeypatch.setattr(previews, "_PROGRESS_SECONDS", 0)
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    resource = PreviewService(storage)
    request = PreviewRequest.model_validate({"changes": [change("blotter", public=True)]})
    trial = await resource.attempt(SYSTEM, "apps", request)
    task = asyncio.create_task(other())
    steps = [step async for step in resource.run(trial)]
    task.cancel()

    assert turns >= 4
    assert [step for step in steps if isinstance(step, Progress)] == [Progress(done, 5) for done in range(6)]
    assert isinstance(steps[-1], Preview)


async def test_names_are_for_those_who_may_read_users(firm: Api) -> None:
    clerk = await firm.add_user("clerk", "PLATFORM_MANAGER:APPS:READ")

    said = await preview(clerk, "apps", change("blotter", disabled=True))

    assert (said["affected"], said["items"][0]["count"], named(said)) == (2, 2, [None])


async def test_parts_that_the_caller_may_not_read_are_not_compared(firm: Api) -> None:
    clerk = await firm.add_user("clerk", "PLATFORM_MANAGER:USERS:READ", "PLATFORM_MANAGER:LAYOUTS:READ")

    (item,) = (await preview(clerk, "users", change("kim", groups=["Equities"])))["items"]

    assert (item["apps"], item["configs"]) == (None, None)
    assert item["layouts"]["gained"] == [{"type": "Global", "name": "Morning"}]


async def test_values_that_are_too_large_are_not_shown_and_many_are_counted(firm: Api) -> None:
    base = await key(firm, "configs", scope="base")
    contents = {"notifications": {"toastExpiry": 9000}, "tray": {"exit": True}, "own": {str(n): n for n in range(300)}}

    said = await preview(firm.admin, "configs", change(base, contents={**contents, "appStores": ["x" * 3000]}))

    item = said["items"][0]
    assert (len(item["configs"]), item["moreValues"]) == (200, 101)
    (large,) = (await preview(firm.admin, "configs", change(base, contents={"tray": ["x" * 3000]})))["items"][0][
        "configs"
    ][-1:]
    assert (large["path"], large["large"], large["after"]) == ("tray", True, None)


async def test_versions_can_be_named(firm: Api) -> None:
    new = {
        "action": "create",
        "document": {"file": "system.json", "version": "9.10", "contents": {"alerts": {"ttl": 1}}},
    }

    assert (await preview(firm.admin, "configs", new))["versions"] == ["*", "9.10", "10"]
    assert (await preview(firm.admin, "configs", new, versions=["10.1"]))["affected"] == 0
    assert (await preview(firm.admin, "configs", new, versions=["9.10.2"]))["affected"] == 5


@pytest.mark.parametrize("kind", KINDS)
async def test_what_does_not_exist_cannot_be_changed(api: Api, kind: str) -> None:
    for proposal in (change("nothing"), {"action": "delete", "key": "nothing"}):
        answer = await api.admin.post(f"/admin/previews/{kind}", json={"changes": [proposal]})
        assert answer.status_code == 404, answer.text


@pytest.mark.long
async def test_the_problems_of_all_changes_are_reported_at_once(api: Api) -> None:
    await api.add_user("ann")
    good = {"action": "create", "document": {"id": "bob"}}
    wrong = {"action": "create", "document": {"id": "cat", "email": 7}}
    there = {"action": "create", "document": {"id": "ann"}}

    refused = await api.admin.post("/admin/previews/users", json={"changes": [good, wrong, there]})

    assert refused.status_code == 400
    error = refused.json()["error"]
    assert error["message"] == "2 of 3 changes have problems"
    assert [detail["path"] for detail in error["details"]] == ["changes[1].document.email", "changes[2]"]
    many = await api.admin.post("/admin/previews/users", json={"changes": [wrong] * 1000})
    assert len(many.json()["error"]["details"]) == 200
    one = await api.admin.post("/admin/previews/users", json={"changes": [good, there]})
    assert one.status_code == 409
    # The first problem decides the status; all of them are listed.
    conflict = await api.admin.post("/admin/previews/users", json={"changes": [there, wrong]})
    assert conflict.status_code == 409
    assert [detail["path"] for detail in conflict.json()["error"]["details"]] == [
        "changes[0]",
        "changes[1].document.email",
    ]
