from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api

START = "2026-01-01T00:00:00Z"


async def ask(client: httpx.AsyncClient, body: Any) -> httpx.Response:
    return await client.request("GET", "/prefs", json=body)


async def save(client: httpx.AsyncClient, app: str, data: Any) -> None:
    answer = await client.post("/prefs", json={"app": app, "data": data})
    assert (answer.status_code, answer.json()) == (201, {})


def record(app: str, data: Any, at: str = START) -> dict[str, Any]:
    return {"app": app, "data": data, "lastUpdate": at, "lastKnownUpdate": at}


@pytest.mark.rule("R-2.5-3")
async def test_preferences_are_kept_per_user_and_app(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    await save(ann, "blotter", {"colour": "red", "deep": {"list": [1, None, 2.5]}})
    await save(bob, "blotter", {"colour": "blue"})

    answer = await ann.get("/prefs", params={"app": "blotter"})

    assert answer.json() == record("blotter", {"colour": "red", "deep": {"list": [1, None, 2.5]}})
    assert (await ann.get("/prefs", params={"app": "news"})).json() == {}


async def test_an_app_named_in_a_body_on_get_is_answered_like_one_in_the_address(api: Api) -> None:
    user = await api.add_user("ann")
    await save(user, "a/b c", 1)

    assert (await ask(user, {"app": "a/b c", "somethingMore": 1})).json() == record("a/b c", 1)
    assert (await user.get("/prefs", params={"app": "a/b c"})).json() == record("a/b c", 1)
    assert (await ask(user, {"app": "unknown"})).json() == {}


async def test_several_apps_in_a_body_on_get_are_answered_as_a_list(api: Api) -> None:
    user = await api.add_user("ann")
    for app in ("a", "b", "c"):
        await save(user, app, app.upper())

    assert (await ask(user, {"apps": ["c", "a", "unknown"]})).json() == [record("a", "A"), record("c", "C")]
    assert (await ask(user, {"apps": []})).json() == []


async def test_all_preferences_are_answered_as_a_list(api: Api) -> None:
    user = await api.add_user("ann")
    assert (await user.get("/prefs/all")).json() == []

    await save(user, "b", 2)
    await save(user, "a", 1)

    assert (await user.get("/prefs/all")).json() == [record("a", 1), record("b", 2)]


async def test_any_json_value_is_kept_as_it_is(api: Api) -> None:
    for data in (None, True, 0, "text", [], [1], {}, {"app": "x"}, {"data": 1}, {"app": 1, "data": 2}):
        await save(api.admin, "app", data)

        assert (await ask(api.admin, {"app": "app"})).json()["data"] == data


async def test_a_whole_preferences_object_posted_as_data_is_not_wrapped_twice(api: Api) -> None:
    user = await api.add_user("ann")

    await save(user, "blotter", {"app": "blotter", "data": {"colour": "red"}, "lastUpdate": "2020-01-01T00:00:00Z"})

    assert (await ask(user, {"app": "blotter"})).json() == record("blotter", {"colour": "red"})


async def test_saving_again_replaces_all_and_moves_the_time_of_the_last_update(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    await save(user, "blotter", {"a": 1, "b": 2})
    clock.advance(1.5)
    await save(user, "blotter", {"b": 3})

    answer = (await ask(user, {"app": "blotter"})).json()

    assert answer == record("blotter", {"b": 3}, "2026-01-01T00:00:01.500000Z")


async def test_content_that_is_not_newer_than_the_client_version_is_not_sent(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    await save(user, "blotter", 1)

    async def status(known: str) -> int:
        return (await ask(user, {"app": "blotter", "lastKnownUpdate": known})).status_code

    known = await ask(user, {"app": "blotter", "lastKnownUpdate": START})
    assert (known.status_code, known.content) == (204, b"")
    assert await status("2026-01-01T01:00:00+01:00") == 204
    assert await status("2026-01-01T00:00:00") == 204
    assert await status("2025-12-31T23:59:59Z") == 200
    assert await status("yesterday, more or less") == 200
    clock.advance(0.001)
    await save(user, "blotter", 2)
    assert await status(START) == 200


async def test_one_app_or_all_are_cleared(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    for app in ("a", "b", "c"):
        await save(ann, app, 1)
    await save(bob, "a", 1)

    async def left(client: httpx.AsyncClient) -> list[str]:
        return [item["app"] for item in (await client.get("/prefs/all")).json()]

    assert (await ann.request("DELETE", "/prefs", json={"app": "b"})).status_code == 200
    assert (await ann.request("DELETE", "/prefs", json={"app": "b"})).status_code == 200
    assert await left(ann) == ["a", "c"]
    assert (await ann.request("DELETE", "/prefs", json={})).status_code == 200
    assert (await left(ann), await left(bob)) == ([], ["a"])
    await save(ann, "a", 1)
    assert (await ann.delete("/prefs")).status_code == 200
    assert await left(ann) == []


async def test_questions_that_make_no_sense_are_refused(api: Api) -> None:
    user = await api.add_user("ann")
    await save(user, "a", 1)

    known = {"app": "a", "lastKnownUpdate": 7}
    body: Any
    for body in ({}, {"app": ""}, {"app": 7}, {"apps": "a"}, {"apps": [7]}, [], "a", known):
        assert (await ask(user, body)).status_code == 400, body
    assert (await user.request("GET", "/prefs", content=b"{not json")).status_code == 400
    assert (await user.get("/prefs")).json()["error"]["details"][0]["path"] == "app"
    for body in ({"app": ""}, {"app": 7}, [], "a"):
        assert (await user.request("DELETE", "/prefs", json=body)).status_code == 400, body
    for body in ({"data": 1}, {"app": "", "data": 1}, {"app": "a\u0000", "data": 1}, []):
        assert (await user.post("/prefs", json=body)).status_code == 400, body
    assert len((await user.get("/prefs/all")).json()) == 1


async def test_clients_are_informed_when_nothing_changed(api: Api) -> None:
    user = await api.add_user("ann")
    await save(user, "a", 1)
    for address in ("/prefs?app=a", "/prefs/all"):
        tag = (await user.get(address)).headers["ETag"]
        assert (await user.get(address, headers={"If-None-Match": tag})).status_code == 304


async def test_administrators_make_read_change_and_delete_preferences(api: Api) -> None:
    user = await api.add_user("ann")
    made = await api.admin.post("/admin/prefs", json={"user": "ann", "app": "blotter", "data": {"a": 1}})
    assert made.status_code == 201
    address = f"/admin/prefs/{made.json()['id']}"
    assert made.headers["Location"] == f"/api{address}"
    assert (await ask(user, {"app": "blotter"})).json() == record("blotter", {"a": 1})

    read = await api.admin.get(address)
    assert (read.json(), read.headers["ETag"]) == (made.json(), made.headers["ETag"])
    sent = {**read.json(), "data": [1, 2]}
    replaced = await api.admin.put(address, json=sent, headers={"If-Match": read.headers["ETag"]})
    assert replaced.json() == {**sent, "revision": replaced.json()["revision"]}
    assert (await api.admin.patch(address, json={"data": None})).json()["data"] is None
    assert (await api.admin.patch(address, json={})).json()["data"] is None
    stale = await api.admin.put(address, json=sent, headers={"If-Match": read.headers["ETag"]})
    assert stale.status_code == 412
    assert (await api.admin.delete(address)).status_code == 204
    for method, content in (("GET", None), ("PUT", sent), ("PATCH", {"data": 1}), ("DELETE", None)):
        assert (await api.admin.request(method, address, json=content)).status_code == 404
    assert (await ask(user, {"app": "blotter"})).json() == {}


async def test_preferences_belong_to_one_user_and_one_app_for_good(api: Api) -> None:
    await api.add_user("ann")
    body = {"user": "ann", "app": "blotter", "data": 1}
    made = (await api.admin.post("/admin/prefs", json=body)).json()

    assert (await api.admin.post("/admin/prefs", json=body)).status_code == 409
    unknown = await api.admin.post("/admin/prefs", json={**body, "user": "nobody"})
    assert unknown.status_code == 400
    assert unknown.json()["error"]["details"][0]["path"] == "user"
    moved = await api.admin.put(f"/admin/prefs/{made['id']}", json={"user": "bob", "app": "news", "data": 1})
    assert moved.status_code == 400
    assert [detail["path"] for detail in moved.json()["error"]["details"]] == ["user", "app"]


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:PREFERENCES:READ")
    await save(nobody, "a", 1)
    listed = (await reader.get("/admin/prefs", params={"user": "nobody", "app": "a"})).json()
    assert listed["total"] == 1
    address = f"/admin/prefs/{listed['items'][0]['id']}"

    assert (await nobody.get("/admin/prefs")).status_code == 403
    assert (await nobody.get(address)).status_code == 403
    assert (await reader.post("/admin/prefs", json={"user": "reader", "app": "a", "data": 1})).status_code == 403
    for method, body in (("PUT", {"data": 2}), ("PATCH", {"data": 2}), ("PATCH", {}), ("DELETE", None)):
        assert (await reader.request(method, address, json=body)).status_code == 403
