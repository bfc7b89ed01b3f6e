"""Saved views: own ones, shared ones, and the permissions for both."""

from collections.abc import AsyncIterator
from typing import Any, get_args

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.views.topic import LISTS, ListName
from tests.conftest import Api, manager_config, running_api

READ = "PLATFORM_MANAGER:CRASHES:READ"
VIEW = {"list": "crashes", "name": "Mine", "search": "reviewed=false&sort=-received"}


@pytest.fixture
async def firm(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each database in turn."""
    async with running_api(manager_config(store), clock) as running:
        yield running


async def save(client: httpx.AsyncClient, **members: Any) -> str:
    answer = await client.post("/admin/views", json={**VIEW, **members})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def names(client: httpx.AsyncClient, **query: str) -> list[str]:
    answer = await client.get("/admin/views", params={"sort": "name", **query})
    return [view["name"] for view in answer.json()["items"]]


def test_every_list_has_a_permission() -> None:
    assert set(LISTS) == set(get_args(ListName))


async def test_a_view_is_saved_changed_and_deleted(firm: Api) -> None:
    ann = await firm.add_user("ann", READ)
    view = await save(ann)
    found = (await ann.get(f"/admin/views/{view}")).json()
    assert (found["owner"], found["shared"], found["search"]) == ("ann", False, VIEW["search"])
    changed = await ann.patch(f"/admin/views/{view}", json={"name": "Renamed"})
    assert (changed.json()["name"], changed.json()["search"]) == ("Renamed", VIEW["search"])
    assert await names(ann, list="crashes") == ["Renamed"]
    assert await names(ann, list="feedback") == []
    assert (await ann.delete(f"/admin/views/{view}")).status_code == 204
    assert await names(ann) == []
    audit = (await firm.admin.get("/admin/audit", params={"kind": "savedView"})).json()["items"]
    assert [(entry["actor"], entry["operation"]) for entry in audit] == [
        ("ann", "deleteView"),
        ("ann", "changeView"),
        ("ann", "createView"),
    ]


async def test_a_shared_view_is_for_those_who_may_read_the_list(firm: Api) -> None:
    ann, bob = await firm.add_user("ann", READ), await firm.add_user("bob", READ)
    eve = await firm.add_user("eve")
    private, shared = await save(ann), await save(ann, name="For all", shared=True)
    assert await names(bob) == ["For all"]
    assert await names(eve) == []
    assert (await bob.get(f"/admin/views/{shared}")).status_code == 200
    for client, view in ((bob, private), (eve, shared), (firm.admin, private)):
        for answer in (
            await client.get(f"/admin/views/{view}"),
            await client.patch(f"/admin/views/{view}", json={"name": "x"}),
            await client.delete(f"/admin/views/{view}"),
        ):
            assert answer.status_code == 404
    assert (await eve.post("/admin/views", json=VIEW)).status_code == 403


async def test_shared_views_of_others_are_changed_by_administrators_only(firm: Api) -> None:
    ann, bob = await firm.add_user("ann", READ), await firm.add_user("bob", READ)
    view = await save(ann, shared=True)
    assert (await bob.patch(f"/admin/views/{view}", json={"name": "x"})).status_code == 403
    assert (await bob.delete(f"/admin/views/{view}")).status_code == 403
    # A view of another owner does not occupy the name.
    await save(bob)
    assert (await firm.admin.delete(f"/admin/views/{view}")).status_code == 204


@pytest.mark.long
async def test_number_size_and_names_are_limited(firm: Api) -> None:
    ann = await firm.add_user("ann", READ)
    first = await save(ann)
    assert (await ann.post("/admin/views", json=VIEW)).status_code == 409
    second = await save(ann, name="Other")
    assert (await ann.patch(f"/admin/views/{second}", json={"name": "Mine"})).status_code == 409
    for wrong in ({"search": "x" * 2001}, {"search": "a b"}, {"name": ""}, {"name": "a\nb"}, {"list": "unknown"}):
        assert (await ann.post("/admin/views", json={**VIEW, **wrong})).status_code == 400
    for number in range(98):
        await save(ann, name=f"view {number}")
    refused = await ann.post("/admin/views", json={**VIEW, "name": "one more"})
    assert refused.status_code == 409
    assert "100" in refused.json()["error"]["message"]
    assert (await ann.get(f"/admin/views/{first}")).json()["name"] == "Mine"


async def test_views_of_a_deleted_user_remain_only_if_they_are_shared(firm: Api) -> None:
    ann = await firm.add_user("ann", READ)
    await save(ann)
    await save(ann, name="For all", shared=True)
    assert (await firm.admin.delete("/admin/users/ann")).status_code == 204
    await firm.add_user("ann", READ)
    assert await names(firm.client(("ann", "ann-password"))) == ["For all"]
