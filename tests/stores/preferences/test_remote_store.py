"""Remote preferences while the other side is away, and when both sides changed."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from rostrum.client.preference_calls import RestPreferenceCalls
from rostrum.client.service import Service
from rostrum.stores.preferences.remote_store import RemotePreferenceStore
from rostrum.stores.preferences.store import Data
from tests.sources.server import Request, Slept, response, running
from tests.stores.rest_service import RestService, rest_service


@pytest.fixture
async def rest() -> AsyncIterator[RestService]:
    async with rest_service() as service:
        yield service


@asynccontextmanager
async def started(rest: RestService, folder: Path, slept: Slept | None = None) -> AsyncIterator[RemotePreferenceStore]:
    async with Service(f"{rest.address}/prefs") as service:
        calls = RestPreferenceCalls(service)
        store = RemotePreferenceStore("rest", calls, folder, interval=0, retries=2, sleep=slept or Slept())
        await store.open()
        yield store
        await store.close()


async def test_edits_made_while_the_other_side_is_away_are_sent_later(rest: RestService, tmp_path: Path) -> None:
    rest.preferences["clock"] = {"a": 1}
    async with started(rest, tmp_path) as store:
        await store.get("clock")
        rest.away = True
        await store.update("clock", {"b": 2})
        await store.update("clock", {"c": 3})
    async with started(rest, tmp_path) as store:
        assert await store.get("clock") == {"a": 1, "b": 2, "c": 3}
        rest.away = False
        await store.refresh()
        assert store.waiting == 0
    assert rest.preferences == {"clock": {"a": 1, "b": 2, "c": 3}}


async def test_different_names_changed_on_both_sides_come_together(rest: RestService, tmp_path: Path) -> None:
    rest.preferences["clock"] = {"a": 1, "b": 1, "gone here": 1, "gone there": 1}
    async with started(rest, tmp_path) as store:
        await store.get("clock")
        rest.away = True
        await store.set("clock", {"a": 2, "b": 1, "gone there": 1})
        rest.away = False
        rest.preferences["clock"] = {"a": 1, "b": 3, "gone here": 1, "new there": 4}
        await store.refresh()
        assert await store.get("clock") == {"a": 2, "b": 3, "new there": 4}
    assert (rest.preferences["clock"], store.problems) == ({"a": 2, "b": 3, "new there": 4}, [])


async def test_the_same_name_changed_on_both_sides_keeps_both_values_and_is_reported(
    rest: RestService, tmp_path: Path
) -> None:
    rest.preferences["clock"] = {"a": 1}
    async with started(rest, tmp_path) as store:
        await store.get("clock")
        rest.away = True
        await store.set("clock", {"a": "here"})
        rest.away = False
        rest.preferences["clock"] = {"a": "there"}
        await store.refresh()
        assert await store.get("clock") == {"a": "there"}
    assert ["changed elsewhere too" in problem for problem in store.problems] == [True]
    kept = json.loads((tmp_path / "conflict-1.json").read_text())
    assert kept["data"] == {"app": "clock", "data": {"a": "here"}}


@pytest.mark.rule("R-2.14-4", "L-8-3")
async def test_an_unreachable_service_is_tried_again_with_growing_pauses(rest: RestService, tmp_path: Path) -> None:
    rest.away = True
    slept = Slept()
    async with started(rest, tmp_path, slept):
        pass
    assert (len(rest.server.requests), slept.seconds) == (3, [1, 2])


async def test_subscribers_are_notified_of_changes_by_others(rest: RestService, tmp_path: Path) -> None:
    heard: list[Data] = []
    async with started(rest, tmp_path) as store:
        store.subscribe("clock", heard.append)
        rest.preferences["clock"] = {"a": 1}
        await store.refresh()
    assert heard == [{"a": 1}]


async def test_a_refused_edit_is_said_and_forgotten(rest: RestService, tmp_path: Path) -> None:
    async with started(rest, tmp_path) as store:
        rest.refusing = True
        await store.set("clock", {"a": 1})
        assert (store.waiting, await store.get("clock")) == (0, {})
    assert ["was refused" in problem for problem in store.problems] == [True]
    (kept,) = (tmp_path / "refused").iterdir()
    assert json.loads(kept.read_text())["data"]["body"] == {"a": 1}


@pytest.mark.rule("R-2.14-3", "L-D-11")
async def test_newer_data_is_fetched_only_while_there_are_subscribers(rest: RestService, tmp_path: Path) -> None:
    async with Service(f"{rest.address}/prefs") as service:
        store = RemotePreferenceStore("rest", RestPreferenceCalls(service), tmp_path, interval=0.01)
        await store.open()
        before = len(rest.server.requests)
        await asyncio.sleep(0.1)
        assert len(rest.server.requests) == before
        heard = asyncio.Event()
        leave = store.subscribe("clock", lambda _: heard.set())
        rest.preferences["clock"] = {"a": 1}
        await asyncio.wait_for(heard.wait(), 60)
        leave()
        await store.close()


class Answers:
    """A service at one address of its own that answers with the same to everybody, and takes what is posted."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.taken: list[Any] = []

    async def __call__(self, request: Request) -> bytes:
        path, _, query = request.path.partition("?")
        if path != "/own":
            return response(404)
        if request.method == "POST":
            self.taken.append(request.json)
            return response(200)
        answer = self.answer if query in ("", "app=clock") else {}
        return response(200, json.dumps(answer).encode(), "Content-Type: application/json")


RECORD = {"app": "clock", "data": {"zone": "Oslo"}, "lastUpdate": "2026-01-01T00:00:00Z"}


@pytest.mark.rule("E-4-7")
@pytest.mark.parametrize(
    "answer",
    [RECORD, [RECORD], {"data": {"zone": "Oslo"}}, {"app": "clock", "data": RECORD}],
    ids=["record", "list", "record without a name", "record in a record"],
)
async def test_the_address_itself_is_asked_and_gets_the_edits(tmp_path: Path, answer: Any) -> None:
    service = Answers(answer)
    async with running(service) as server, Service(f"http://127.0.0.1:{server.port}/own") as address:
        store = RemotePreferenceStore("rest", RestPreferenceCalls(address), tmp_path, interval=0, retries=0)
        await store.open()
        assert (store.offline_reason, await store.get("mail"), await store.get("clock")) == (None, {}, {"zone": "Oslo"})
        await store.update("clock", {"size": 2})
        await store.close()
    assert service.taken == [{"app": "clock", "data": {"zone": "Oslo", "size": 2}}]
    assert (store.waiting, store.problems) == (0, [])


async def test_a_service_that_rejects_names_of_apps_gets_requests_without_one(tmp_path: Path) -> None:
    async def behave(request: Request) -> bytes:
        if request.path != "/own":
            return response(400)
        return response(200, json.dumps(RECORD).encode(), "Content-Type: application/json")

    async with running(behave) as server, Service(f"http://127.0.0.1:{server.port}/own") as address:
        store = RemotePreferenceStore("rest", RestPreferenceCalls(address), tmp_path, interval=0, retries=0)
        await store.open()
        assert (await store.get("clock"), await store.get("mail")) == ({"zone": "Oslo"}, {})
        await store.close()
        asked = ["/own", "/own?app=clock", "/own", "/own?app=mail", "/own"]
        assert [one.path for one in server.requests] == asked


async def test_a_service_named_by_its_root_has_the_preferences_below_it(rest: RestService, tmp_path: Path) -> None:
    async with Service(rest.address) as service:
        store = RemotePreferenceStore("rest", RestPreferenceCalls(service), tmp_path, interval=0)
        await store.open()
        await store.set("clock", {"a": 1})
        rest.preferences["clock"] = {"a": 2}
        assert await store.get("clock") == {"a": 2}
        await store.close()
    assert [one.path.partition("?")[0] for one in rest.server.requests][-1] == "/prefs"
