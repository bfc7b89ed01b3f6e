from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.database import conditions, paging
from rostrum.manager.groups.repository import Groups
from tests.conftest import Api, manager_config, running_api

NAMES = ["100%", "10_x", "10ax", "Ärger", "a*b", "back\\slash", "desk", "Desk", "DESK two"]


@pytest.fixture
async def on_each(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager with some groups, on each kind of database in turn."""
    async with running_api(manager_config(store), clock) as api:
        async with api.app._manager.storage.write("system") as work:
            # Such as an older version has stored them: a new group cannot differ from another one by letter case only.
            await work.of(Groups).add_missing(NAMES, work.stamp(), as_stored=True)
        for priority, name in enumerate(NAMES):
            answer = await api.admin.patch(f"/admin/groups/{quote(name, safe='')}", json={"priority": priority % 3})
            assert answer.status_code == 200
        yield api


async def names(api: Api, **query: str) -> list[str]:
    answer = await api.admin.get("/admin/groups", params=query)
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["items"] if item["name"] in NAMES]


def problems(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 400
    return {detail["path"]: detail["message"] for detail in answer.json()["error"]["details"]}


async def test_lists_are_filtered_searched_and_sorted_alike_on_every_database(on_each: Api) -> None:
    by_bytes = sorted(NAMES, key=str.encode)

    assert await names(on_each) == by_bytes
    assert await names(on_each, sort="-name") == by_bytes[::-1]
    by_priority = [name for rest in range(3) for name in by_bytes[::-1] if NAMES.index(name) % 3 == rest]
    assert await names(on_each, sort="priority,-name") == by_priority
    # Made at the same moment: equals stand in the direction of the order.
    assert await names(on_each, sort="created") == by_bytes
    assert await names(on_each, sort="-created") == by_bytes[::-1]

    assert await names(on_each, name="desk") == ["desk"]
    assert await names(on_each, name="desk*") == ["DESK two", "Desk", "desk"]
    assert await names(on_each, name="*SK T*") == ["DESK two"]
    assert await names(on_each, name="Är*") == ["Ärger"]
    assert await names(on_each, name="*") == by_bytes
    assert await names(on_each, q="ESK") == ["DESK two", "Desk", "desk"]


@pytest.mark.long
async def test_many_rows_are_found_like_few(store: str, clock: SettableClock, monkeypatch: pytest.MonkeyPatch) -> None:
    users = ["Ann", "annabel", "bob", "\U00020003", "z\ud7a3", "zz"]
    async with running_api(manager_config(store), clock) as api:
        for number, user in enumerate(users):
            clock.advance(number % 2)
            address = {"email": f"{user}@example.com"} if number % 3 else {}
            await api.add_user(user, f"g{number % 2}", disabled=number % 2 == 1, **address)
        for group, further in (("g0", "floor"), ("floor", "firm"), ("firm", "floor")):
            await api.admin.put(f"/admin/groups/{group}", json={"name": group, "expandsTo": [further]})

        async def found(query: str) -> tuple[list[str], int]:
            page = (await api.admin.get(f"/admin/users?limit=3&{query}")).json()
            return [item["id"] for item in page["items"]], page["total"]

        wanted = {
            "id=ann*": (["Ann", "annabel"], 2),
            "id=Z*&sort=-id": (["z\ud7a3", "zz"], 2),
            "id=z\ud7a3*": (["z\ud7a3"], 1),
            # The last letter before the surrogates: what comes after it is not the next number.
            "id=z\ud7ff*": ([], 0),
            "id=\U00020003*": (["\U00020003"], 1),
            "id=*B*": (["annabel", "bob"], 2),
            "group=g1&sort=-created": (["zz", "\U00020003", "annabel"], 3),
            "group=g0&disabled=false": (["Ann", "bob", "z\ud7a3"], 3),
            "group=g0&disabled=true": ([], 0),
            "memberOf=firm": (["Ann", "bob", "z\ud7a3"], 3),
            "memberOf=g1&disabled=true&sort=-id": (["\U00020003", "zz", "annabel"], 3),
            "memberOf=nowhere": ([], 0),
            "disabled=true&sort=email": (["\U00020003", "annabel", "zz"], 3),
            "q=ANN&sort=-created": (["annabel", "Ann"], 2),
            "q=example&group=g0&sort=-email": (["z\ud7a3", "bob"], 2),
        }
        few = {query: await found(query) for query in wanted}
        for module in (conditions, paging):
            monkeypatch.setattr(module, "FEW", -1)
        monkeypatch.setattr(conditions, "_OFTEN", 0)
        many = {query: await found(query) for query in wanted}

    assert few == wanted
    assert many == wanted


@pytest.mark.long
async def test_a_list_that_is_longer_than_the_counted_total_is_marked(
    on_each: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("desk-1", "desk-2", "desk-3", "other"):
        await on_each.add_user(name)

    async def count(path: str = "/admin/users", **query: str) -> dict[str, Any]:
        answer = (await on_each.admin.get(path, params={"limit": "1", **query})).json()
        return {name: value for name, value in answer.items() if name != "items"}

    assert await count(q="desk") == {"total": 3}
    monkeypatch.setattr(paging, "FEW", 2)
    assert await count(q="desk") == {"total": 2, "more": True}
    assert await count(q="desk", offset="1") == {"total": 3, "more": True}
    assert await count(q="desk", offset="2") == {"total": 3}
    assert await count(q="desk", limit="3") == {"total": 3}
    assert await count(q="desk", id="desk-1") == {"total": 1}
    # Shorter lists are counted to their end.
    assert await count("/admin/groups", q="desk") == {"total": 3}
    assert await count("/admin/groups", q="desk", offset="1") == {"total": 3}


async def test_signs_that_mean_something_to_the_database_mean_themselves(on_each: Api) -> None:
    assert await names(on_each, name="100%") == ["100%"]
    assert await names(on_each, name="%") == []
    assert await names(on_each, name="%*") == []
    assert await names(on_each, name="10_*") == ["10_x"]
    assert await names(on_each, name="1*%") == ["100%"]
    assert await names(on_each, name="back\\*") == ["back\\slash"]
    assert await names(on_each, q="%") == ["100%"]
    assert await names(on_each, q="_") == ["10_x"]
    assert await names(on_each, q="\\") == ["back\\slash"]
    assert await names(on_each, q="' OR 1=1 --") == []


async def test_pages_together_are_the_whole_list(on_each: Api) -> None:
    whole = (await on_each.admin.get("/admin/groups")).json()
    pages: list[Any] = []
    for offset in range(0, whole["total"], 4):
        query = {"limit": "4", "offset": str(offset)}
        page = (await on_each.admin.get("/admin/groups", params=query)).json()
        assert page["total"] == whole["total"]
        pages += page["items"]

    assert pages == whole["items"]
    beyond = (await on_each.admin.get("/admin/groups", params={"offset": "1000"})).json()
    assert beyond == {"items": [], "total": whole["total"]}


async def test_a_page_has_fifty_items_by_default(api: Api) -> None:
    expands = [f"g{number:03}" for number in range(60)]
    await api.admin.post("/admin/groups", json={"name": "all", "expandsTo": expands})

    assert len((await api.admin.get("/admin/groups")).json()["items"]) == 50
    assert len((await api.admin.get("/admin/groups", params={"limit": "1000"})).json()["items"]) == 62


async def test_pages_that_cannot_be_are_refused(api: Api) -> None:
    wrong = [{"limit": limit} for limit in ("0", "-1", "1001", "x", "", "1.5", "9" * 30)]
    wrong += [{"offset": offset} for offset in ("-1", "x", "9" * 30)]

    for query in wrong:
        assert next(iter(query)) in problems(await api.admin.get("/admin/users", params=query))


async def test_an_unknown_filter_or_order_is_refused_with_those_there_are(api: Api) -> None:
    unknown = problems(await api.admin.get("/admin/users", params={"colour": "red", "size": "1"}))
    assert set(unknown) == {"colour", "size"}
    for name in ("id", "email", "disabled", "group", "app", "created"):
        assert name in unknown["colour"]

    order = problems(await api.admin.get("/admin/users", params={"sort": "id,-colour"}))
    assert "'colour' is not one of" in order["sort"]
    assert "email" in order["sort"]
    # A list has no order.
    assert "sort" in problems(await api.admin.get("/admin/users", params={"sort": "group"}))


async def test_values_of_the_wrong_kind_are_refused(api: Api) -> None:
    assert "disabled" in problems(await api.admin.get("/admin/users", params={"disabled": "yes"}))
    assert "priority" in problems(await api.admin.get("/admin/groups", params={"priority": "high"}))
    assert "priority" in problems(await api.admin.get("/admin/groups", params={"priority": "9" * 12}))
    assert "created" in problems(await api.admin.get("/admin/users", params={"created": "2026"}))
    assert "id" in problems(await api.admin.get("/admin/users?id=a&id=b"))


async def test_nul_characters_are_refused_wherever_they_stand(api: Api) -> None:
    for name in ("q", "id", "group", "sort"):
        assert name in problems(await api.admin.get("/admin/users", params={name: "a\0b"}))


@pytest.mark.long
async def test_every_list_takes_the_same_parameters(api: Api) -> None:
    user = await api.add_user("ann")
    documents = ("users", "groups", "apps", "layouts", "prefs", "configs")
    for name in (*documents, "sessions", "machines", "commands", "crashes", "feedback"):
        address = f"/admin/{name}"
        answer = await api.admin.get(address, params={"limit": "1", "offset": "0", "q": "x", "sort": ""})
        assert answer.status_code == 200, address
        assert set(answer.json()) == {"items", "total"}
        again = await api.admin.get(
            address, params={"limit": "1", "q": "x"}, headers={"If-None-Match": answer.headers["ETag"]}
        )
        assert again.status_code == 304, address
        assert (await api.admin.get(address, params={"nothing": "x"})).status_code == 400, address
        assert (await api.admin.get(address, params={"sort": "nothing"})).status_code == 400, address
        assert (await user.get(address)).status_code == 403, address
        assert (await api.client().get(address)).status_code == 401, address


async def test_nul_characters_in_bodies_fail_on_no_database(on_each: Api) -> None:
    app = {"name": "x", "type": "window", "title": "a\0b", "details": {"url": "https://x.example.com"}}

    made = await on_each.admin.post("/admin/apps", json={"definition": app})

    assert (made.status_code, made.json()["definition"]) == (201, app)
    assert (await on_each.admin.get("/admin/apps", params={"title": "ab"})).json()["total"] == 1
    for body in ({"name": "a\0b", "type": "Global"}, {"name": "a", "type": "\0"}, {"ids": ["a\0b (Global)"]}):
        assert (await on_each.admin.request("DELETE", "/layouts", json=body)).status_code == 400
    kept = await on_each.admin.post("/prefs", json={"app": "x", "data": {"text": "a\0b"}})
    assert kept.status_code == 201
    assert (await on_each.admin.get("/prefs?app=x")).json()["data"] == {"text": "a\0b"}
