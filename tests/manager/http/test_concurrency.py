import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

WRITERS = 20


@pytest.fixture
async def on_each(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on each kind of database in turn."""
    async with running_api(manager_config(store), clock) as api:
        yield api


@pytest.mark.long
async def test_of_writers_who_read_the_same_revision_exactly_one_wins(on_each: Api) -> None:
    made = await on_each.admin.post("/admin/configs", json={"file": "system.json", "contents": {"writer": None}})
    address = f"/admin/configs/{made.json()['id']}"

    for _ in range(2):
        tag = (await on_each.admin.get(address)).headers["ETag"]

        async def write(writer: int, tag: str = tag) -> httpx.Response:
            body = {"contents": {"writer": writer}}
            return await on_each.admin.patch(address, json=body, headers={"If-Match": tag})

        answers = await asyncio.gather(*(write(writer) for writer in range(WRITERS)))

        statuses = [answer.status_code for answer in answers]
        assert (statuses.count(200), statuses.count(412)) == (1, WRITERS - 1)
        kept = (await on_each.admin.get(address)).json()
        assert kept["contents"] == {"writer": statuses.index(200)}
        assert kept["revision"] == answers[statuses.index(200)].json()["revision"]


@pytest.mark.long
async def test_no_increment_of_a_counter_is_lost(on_each: Api) -> None:
    made = await on_each.admin.post("/admin/configs", json={"file": "system.json", "contents": {"counter": 0}})
    address = f"/admin/configs/{made.json()['id']}"
    turns = asyncio.Semaphore(5)

    async def increment() -> None:
        async with turns:
            while True:
                read = await on_each.admin.get(address)
                body = read.json()
                body["contents"]["counter"] += 1
                answer = await on_each.admin.put(address, json=body, headers={"If-Match": read.headers["ETag"]})
                if answer.status_code == 200:
                    return
                assert answer.status_code == 412

    await asyncio.gather(*(increment() for _ in range(WRITERS)))

    assert (await on_each.admin.get(address)).json()["contents"] == {"counter": WRITERS}


@pytest.mark.long
async def test_of_those_who_make_the_same_thing_at_once_one_wins(on_each: Api) -> None:
    async def race(address: str, body: dict[str, object]) -> list[int]:
        answers = await asyncio.gather(*(on_each.admin.post(address, json=body) for _ in range(8)))
        return sorted(answer.status_code for answer in answers)

    assert await race("/admin/users", {"id": "ann"}) == [201] + [409] * 7
    assert await race("/admin/groups", {"name": "Desk"}) == [201] + [409] * 7
    assert await race("/admin/configs", {"file": "a.json", "contents": {}}) == [201] + [409] * 7
    layout = {"name": "Morning", "type": "Global", "components": []}
    assert await race("/layouts", {"layout": layout}) == [201] * 8
    assert (await on_each.admin.get("/admin/layouts")).json()["total"] == 1
    assert await race("/sessions", {"machine": {"id": "pc"}}) == [201] * 8
    assert (await on_each.admin.get("/admin/machines")).json()["total"] == 1


async def test_a_writer_may_name_the_revision_it_read_in_every_way_the_standard_has(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk"})

    async def tag() -> str:
        return (await api.admin.get("/admin/groups/Desk")).headers["ETag"]

    async def status(if_match: str) -> int:
        answer = await api.admin.patch("/admin/groups/Desk", json={"priority": 1}, headers={"If-Match": if_match})
        return answer.status_code

    assert await status("*") == 200
    assert await status(await tag()) == 200
    assert await status(f'"1", {await tag()}, "x"') == 200
    # Proxies that compress make tags weak; what they tag is the same revision still.
    assert await status(f"W/{await tag()}") == 200
    revision = (await api.admin.get("/admin/groups/Desk")).json()["revision"]
    assert await status(f'"{revision}"') == 200
    assert await status(f'"{revision}"') == 412
    assert await status('"no tag of ours"') == 412
    assert await status(f'"{"9" * 40}"') == 412
    assert await status('""') == 412
    for garbage in ("garbage", "17", "", "W/", '"'):
        assert await status(garbage) == 400, garbage


async def test_a_stale_writer_gets_the_current_revision(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk"})
    stale = (await api.admin.get("/admin/groups/Desk")).headers["ETag"]
    newest = (await api.admin.patch("/admin/groups/Desk", json={"priority": 1})).json()["revision"]

    for method, body in (("PUT", {}), ("PATCH", {"priority": 2}), ("DELETE", None)):
        answer = await api.admin.request(method, "/admin/groups/Desk", json=body, headers={"If-Match": stale})
        assert answer.status_code == 412
        assert f"revision {newest}" in answer.json()["error"]["message"]
    assert (await api.admin.get("/admin/groups/Desk")).json()["priority"] == 1


async def test_a_writer_may_require_that_the_document_does_not_exist(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk"})
    fresh = {"If-None-Match": "*"}

    assert (await api.admin.put("/admin/groups/Desk", json={"priority": 7}, headers=fresh)).status_code == 412
    assert (await api.admin.put("/admin/groups/Floor", json={"priority": 7}, headers=fresh)).status_code == 404
    assert (await api.admin.get("/admin/groups/Desk")).json()["priority"] == 0


async def test_a_document_is_sent_again_only_when_it_changed(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk"})
    tag = (await api.admin.get("/admin/groups/Desk")).headers["ETag"]

    for known in (tag, f"W/{tag}", f'"other",{tag}', "*"):
        same = await api.admin.get("/admin/groups/Desk", headers={"If-None-Match": known})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
    for unknown in ('"other"', "garbage", ""):
        assert (await api.admin.get("/admin/groups/Desk", headers={"If-None-Match": unknown})).status_code == 200
    # A write is answered with what was written, whatever the writer has.
    written = await api.admin.patch("/admin/groups/Desk", json={"priority": 1}, headers={"If-None-Match": "*"})
    assert written.status_code == 200
    assert (await api.admin.get("/admin/groups/Desk", headers={"If-None-Match": tag})).status_code == 200
