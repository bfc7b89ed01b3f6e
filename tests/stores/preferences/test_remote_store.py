"""Remote preferences while the other side is away, and when both sides changed."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from rostrum.client.preference_calls import PreferenceCalls
from rostrum.client.service import Service
from rostrum.stores.preferences.remote_store import RemotePreferenceStore
from rostrum.stores.preferences.store import Data
from tests.sources.server import Slept
from tests.stores.rest_service import RestService, rest_service


@pytest.fixture
async def rest() -> AsyncIterator[RestService]:
    async with rest_service() as service:
        yield service


@asynccontextmanager
async def started(rest: RestService, folder: Path, slept: Slept | None = None) -> AsyncIterator[RemotePreferenceStore]:
    async with Service(f"{rest.address}/prefs") as service:
        calls = PreferenceCalls(service)
        store = RemotePreferenceStore("rest", calls, folder, interval=0, retries=2, sleep=slept or Slept())
        await store.open()
        yield store
        await store.close()


async def test_edits_made_while_the_other_side_is_away_are_sent_later(rest: RestService, tmp_path: Path) -> None:
    rest.preferences["clock"] = {"a": 1}
    async with started(rest, tmp_path) as store:
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
        rest.away = True
        await store.set("clock", {"a": 2, "b": 1, "gone there": 1})
        rest.away = False
        rest.preferences["clock"] = {"a": 1, "b": 3, "gone here": 1, "new there": 4}
        await store.refresh()
        assert await store.get("clock") == {"a": 2, "b": 3, "new there": 4}
    assert (rest.preferences["clock"], store.problems) == ({"a": 2, "b": 3, "new there": 4}, [])


async def test_the_same_name_changed_on_both_sides_keeps_both_values_and_says_so(
    rest: RestService, tmp_path: Path
) -> None:
    rest.preferences["clock"] = {"a": 1}
    async with started(rest, tmp_path) as store:
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


async def test_subscribers_hear_of_what_others_changed(rest: RestService, tmp_path: Path) -> None:
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
    assert ["were refused" in problem for problem in store.problems] == [True]
    (kept,) = (tmp_path / "refused").iterdir()
    assert json.loads(kept.read_text())["data"]["body"] == {"a": 1}


@pytest.mark.rule("R-2.14-3", "L-D-11")
async def test_newer_data_is_looked_for_only_while_somebody_is_subscribed(rest: RestService, tmp_path: Path) -> None:
    async with Service(f"{rest.address}/prefs") as service:
        store = RemotePreferenceStore("rest", PreferenceCalls(service), tmp_path, interval=0.01)
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
