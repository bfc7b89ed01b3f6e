"""How much one user can store: each kind up to its quota, also with many requests at once, on both databases."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

LIMITS = {
    "sessions": 3,
    "keptSessions": 6,
    "machines": 2,
    "preferences": 4,
    "preferenceBytes": 400,
    "layouts": 4,
    "layoutBytes": 2000,
    "historyBytes": 100_000,
    "feedback": 4,
    "feedbackBytes": 3000,
    "crashes": 4,
    "crashBytes": 3000,
    "anonymousCrashes": 2,
    "anonymousCrashBytes": 2000,
}

Send = Callable[[httpx.AsyncClient, int, int], Awaitable[httpx.Response]]


@pytest.fixture
async def quota_api(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    config = manager_config(store, quotas=LIMITS, sessionIdle=60, crashes={"anonymous": True})
    async with running_api(config, clock) as running:
        yield running


async def save_preference(client: httpx.AsyncClient, number: int, size: int) -> httpx.Response:
    return await client.post("/prefs", json={"app": f"app {number}", "data": "x" * size})


async def save_layout(client: httpx.AsyncClient, number: int, size: int) -> httpx.Response:
    layout = {"name": f"layout {number}", "type": "Global", "components": [], "metadata": {"note": "x" * size}}
    return await client.post("/layouts", json={"layout": layout})


async def open_session(client: httpx.AsyncClient, number: int, _size: int) -> httpx.Response:
    return await client.post("/sessions", json={"machine": {"id": f"pc {number % 2}"}})


async def send_feedback(client: httpx.AsyncClient, number: int, size: int) -> httpx.Response:
    files = {"attachment": ("a.zip", b"x" * size)} if size else {}
    return await client.post("/feedback", data={"description": f"feedback {number}"}, files={"a": (None, ""), **files})


async def send_crash(client: httpx.AsyncClient, number: int, size: int) -> httpx.Response:
    files = {"upload_file_minidump": ("a.dmp", b"x" * size)} if size else {}
    return await client.post("/crashes", files={"ver": (None, str(number)), **files})


async def use(client: httpx.AsyncClient) -> dict[str, int]:
    return {item["name"]: item["used"] for item in (await client.get("/me/usage")).json()["items"]}


COUNTED: dict[str, Send] = {
    "preferences": save_preference,
    "layouts": save_layout,
    "sessions": open_session,
    "feedback": send_feedback,
    "crashes": send_crash,
}
SIZED: dict[str, Send] = {
    "preferenceBytes": save_preference,
    "layoutBytes": save_layout,
    "feedbackBytes": send_feedback,
    "crashBytes": send_crash,
}


@pytest.mark.parametrize("name", COUNTED)
async def test_many_requests_at_once_store_exactly_as_many_as_allowed(quota_api: Api, name: str) -> None:
    user = await quota_api.add_user("ann")
    await user.get("/me")

    answers = await asyncio.gather(*(COUNTED[name](user, number, 0) for number in range(12)))

    refused = [answer for answer in answers if not answer.is_success]
    assert len(refused) == 12 - LIMITS[name]
    for answer in refused:
        error = answer.json()["error"]
        assert answer.status_code == error["code"] == 409
        assert error["quota"] == {"name": name, "limit": LIMITS[name], "used": LIMITS[name]}
        assert error["message"].startswith(
            f"quota exceeded: the setting quotas.{name} allows {LIMITS[name]} per user, and {LIMITS[name]} are in use; "
        )
        assert "or ask an administrator to raise the limit" in error["message"]
    assert (await use(user))[name] == LIMITS[name]


@pytest.mark.parametrize("name", SIZED)
async def test_many_requests_at_once_store_no_more_bytes_than_allowed(quota_api: Api, name: str) -> None:
    user = await quota_api.add_user("ann")
    await user.get("/me")
    size = LIMITS[name] * 2 // 5

    answers = await asyncio.gather(*(SIZED[name](user, number, size) for number in range(6)))

    stored = [answer for answer in answers if answer.is_success]
    refused = [answer.json()["error"]["quota"]["name"] for answer in answers if answer.status_code == 409]
    assert (len(stored), refused) == (2, [name] * 4)
    assert 2 * size <= (await use(user))[name] <= LIMITS[name]


async def test_one_users_use_is_not_anothers(quota_api: Api) -> None:
    ann, bob = await quota_api.add_user("ann"), await quota_api.add_user("bob")
    for number in range(LIMITS["preferences"]):
        assert (await save_preference(ann, number, 1)).status_code == 201

    assert (await save_preference(ann, 9, 1)).status_code == 409
    assert (await save_preference(bob, 9, 1)).status_code == 201
    assert (await use(bob))["preferences"] == 1


async def test_bytes_are_counted_not_letters(quota_api: Api) -> None:
    user = await quota_api.add_user("ann")

    answer = await user.post("/prefs", json={"app": "a", "data": "🙂" * 110})

    assert answer.status_code == 409
    assert (await user.get("/prefs/all")).json() == []


async def test_what_is_stored_can_be_replaced_and_shrunk_when_the_quota_is_full(quota_api: Api) -> None:
    user = await quota_api.add_user("ann")
    for number in range(LIMITS["preferences"]):
        assert (await save_preference(user, number, 90)).status_code == 201
    for number in range(2):
        assert (await save_layout(user, number, 800)).status_code == 201

    assert (await save_preference(user, 0, 130)).status_code == 409
    assert (await save_preference(user, 0, 90)).status_code == 201
    assert (await save_preference(user, 0, 10)).status_code == 201
    assert (await save_preference(user, 0, 90)).status_code == 201
    assert (await save_layout(user, 0, 1500)).status_code == 409
    assert (await save_layout(user, 0, 700)).status_code == 201
    (layout,) = [one for one in (await user.get("/layouts")).json()["layouts"] if one["name"] == "layout 1"]
    grown = {**layout, "metadata": {"note": "x" * 1500}}
    assert (await user.put("/layouts", json={"layout": grown, "newName": "new"})).status_code == 409
    assert (await user.put("/layouts", json={"layout": layout, "newName": "new"})).status_code == 200


async def test_what_is_removed_makes_room(quota_api: Api) -> None:
    user = await quota_api.add_user("ann")
    for number in range(LIMITS["preferences"]):
        await save_preference(user, number, 1)
    assert (await save_preference(user, 9, 1)).status_code == 409

    await user.request("DELETE", "/prefs", json={"app": "app 0"})

    assert (await save_preference(user, 9, 1)).status_code == 201


async def test_administrators_may_store_more_for_a_user(quota_api: Api) -> None:
    user = await quota_api.add_user("ann")
    for number in range(LIMITS["preferences"] + 1):
        body = {"user": "ann", "app": f"app {number}", "data": 1}
        assert (await quota_api.admin.post("/admin/prefs", json=body)).status_code == 201

    assert (await save_preference(user, 0, 5)).status_code == 201
    assert (await save_preference(user, 9, 5)).status_code == 409


async def test_a_refused_attachment_leaves_nothing(quota_api: Api) -> None:
    user = await quota_api.add_user("ann")

    assert (await send_feedback(user, 1, 5_000_000)).status_code == 409
    assert (await send_crash(user, 1, 5_000_000)).status_code == 409

    assert (await quota_api.admin.get("/admin/feedback")).json()["total"] == 0
    assert (await quota_api.admin.get("/admin/crashes")).json()["total"] == 0
    assert set((await use(user)).values()) == {0}


async def test_crash_reports_without_a_user_have_a_quota_together(quota_api: Api) -> None:
    stranger, user = quota_api.client(), await quota_api.add_user("ann")

    answers = [await send_crash(stranger, number, 10) for number in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 409]
    assert answers[2].json()["error"]["quota"]["name"] == "anonymousCrashes"
    assert (await send_crash(user, 1, 10)).status_code == 200


async def test_inactive_sessions_make_room_for_a_new_one(quota_api: Api, clock: SettableClock) -> None:
    user = await quota_api.add_user("ann")
    opened: list[Any] = []
    for number in range(LIMITS["sessions"]):
        opened.append((await open_session(user, number, 0)).json())
        clock.advance(1)
    assert (await open_session(user, 9, 0)).status_code == 409
    clock.advance(59)
    heard = await user.patch(f"/sessions/{opened[0]['id']}")
    assert heard.status_code == 200

    newest = await open_session(user, 9, 0)

    assert newest.status_code == 201
    sessions = (await quota_api.admin.get("/admin/sessions?user=ann")).json()["items"]
    ended = {session["id"] for session in sessions if session["ended"]}
    # The first one has sent a heartbeat; of the others, the longest inactive one is ended.
    assert ended == {opened[1]["id"]}
    token = {"authorization": f"Bearer {opened[1]['token']}"}
    assert (await quota_api.client().get("/me", headers=token)).status_code == 401


async def test_the_oldest_ended_sessions_are_forgotten(quota_api: Api, clock: SettableClock) -> None:
    user = await quota_api.add_user("ann")
    opened = []
    for number in range(LIMITS["keptSessions"] + 3):
        opened.append((await open_session(user, number, 0)).json()["id"])
        assert (await user.delete(f"/sessions/{opened[-1]}")).status_code == 204
        clock.advance(1)

    kept = {session["id"] for session in (await quota_api.admin.get("/admin/sessions?user=ann")).json()["items"]}

    assert kept == set(opened[-LIMITS["keptSessions"] :])


async def test_a_user_describes_only_so_many_machines(quota_api: Api, clock: SettableClock) -> None:
    user = await quota_api.add_user("ann")

    async def start(machine: str) -> httpx.Response:
        clock.advance(1)
        return await user.post("/sessions", json={"machine": {"id": machine}})

    for number in range(6):
        opened = await start(f"pc {number}")
        assert opened.status_code == 201
        await user.delete(f"/sessions/{opened.json()['id']}")
    listed = (await quota_api.admin.get("/admin/machines")).json()["items"]
    assert sorted(machine["id"] for machine in listed) == ["pc 4", "pc 5"]

    for number in (4, 5):
        assert (await start(f"pc {number}")).status_code == 201
    refused = await start("pc 6")
    assert refused.status_code == 409
    assert refused.json()["error"]["quota"]["name"] == "machines"


@pytest.mark.parametrize("member", ["machine", "commands"])
async def test_data_that_a_client_sends_about_itself_is_bounded(api: Api, member: str) -> None:
    long = {"note": "x" * 70_000}
    body = {member: long if member == "machine" else [long]}

    answer = await api.admin.post("/sessions", json=body)

    assert answer.status_code == 413
    assert answer.json()["error"]["details"][0]["path"] == member
    assert (await api.admin.get("/admin/machines")).json()["total"] == 0


async def test_administrators_see_what_a_user_uses(quota_api: Api) -> None:
    user = await quota_api.add_user("ann")
    await save_preference(user, 1, 10)

    shown = (await quota_api.admin.get("/admin/users/ann/usage")).json()

    assert shown == (await user.get("/me/usage")).json()
    assert {"name": "preferences", "used": 1, "limit": 4} in shown["items"]
    assert {"name": "preferenceBytes", "used": 12, "limit": 400} in shown["items"]
    assert (await quota_api.admin.get("/admin/users/nobody/usage")).status_code == 404
    settings = {
        one["property"]: one["value"] for one in (await quota_api.admin.get("/admin/server")).json()["settings"]
    }
    assert {name: settings[f"quotas.{name}"] for name in LIMITS} == {name: str(limit) for name, limit in LIMITS.items()}


@pytest.mark.long
async def test_a_quota_of_minus_one_is_no_limit(sqlite: str, clock: SettableClock) -> None:
    unlimited = dict.fromkeys(LIMITS, -1)
    async with running_api(manager_config(sqlite, quotas=unlimited), clock) as api:
        user = await api.add_user("ann")
        for send in COUNTED.values():
            for number in range(12):
                assert (await send(user, number, 600)).is_success
        limits = {item["limit"] for item in (await user.get("/me/usage")).json()["items"]}

    assert limits == {None}


async def test_one_document_may_have_so_many_bytes_whatever_the_quotas_leave(store: str, clock: SettableClock) -> None:
    """Others wait while a document is written; administrators write documents of any size for others."""
    async with running_api(manager_config(store, quotas={"documentBytes": 1000}), clock) as api:
        user = await api.add_user("ann")
        fits = await save_preference(user, 1, 998)
        refused = [
            await save_preference(user, 1, 999),
            await save_preference(user, 2, 333 * 1000),
            await user.post("/prefs", json={"app": "app 3", "data": "ä" * 500}),
            await save_layout(user, 1, 1000),
        ]
        small = {"name": "layout 2", "type": "Global", "components": []}
        assert (await user.post("/layouts", json={"layout": small})).status_code == 201
        renamed = {"layout": {**small, "metadata": {"note": "x" * 1000}}, "newName": "layout 3"}
        refused.append(await user.put("/layouts", json=renamed))
        by_admin = await api.admin.post("/admin/prefs", json={"user": "ann", "app": "large", "data": "x" * 5000})
        kept = {item["app"]: len(item["data"]) for item in (await user.get("/prefs/all")).json()}
        layouts = [item["name"] for item in (await user.get("/layouts")).json()["layouts"]]

    assert (fits.status_code, by_admin.status_code) == (201, 201)
    assert [answer.status_code for answer in refused] == [413] * 5
    message = refused[0].json()["error"]["message"]
    assert message.startswith(
        "the document has 1001 bytes, and the setting quotas.documentBytes allows 1000; save less"
    )
    assert (kept, layouts) == ({"app 1": 998, "large": 5000}, ["layout 2"])
