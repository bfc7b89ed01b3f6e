"""Remote layouts while the other side is away, and when both sides changed."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from rostrum.base.clock import SettableClock
from rostrum.client.layout_calls import RestLayoutCalls
from rostrum.client.service import Service
from rostrum.stores.layouts.remote_store import RemoteLayoutStore
from rostrum.stores.layouts.store import LayoutKey
from tests.sources.server import answering, running
from tests.stores.layouts.test_layout_stores import MORNING, layout
from tests.stores.rest_service import RestService, rest_service


@pytest.fixture
async def rest() -> AsyncIterator[RestService]:
    async with rest_service() as service:
        yield service


@asynccontextmanager
async def started(rest: RestService, folder: Path, path: str = "") -> AsyncIterator[RemoteLayoutStore]:
    async with Service(rest.address + path) as service:
        store = RemoteLayoutStore("rest", RestLayoutCalls(service), folder, interval=0, clock=SettableClock())
        await store.open()
        yield store
        await store.close()


async def test_the_layouts_of_the_last_time_are_there_while_the_other_side_is_away(
    rest: RestService, tmp_path: Path
) -> None:
    rest.layouts[("Global", "Morning")] = layout()
    rest.default = {"name": "Morning", "type": "Global"}
    async with started(rest, tmp_path):
        pass
    rest.away = True
    async with started(rest, tmp_path) as store:
        assert (set(store.layouts()), store.default()) == ({MORNING}, MORNING)


async def test_edits_made_meanwhile_are_kept_through_a_restart_and_sent_in_order(
    rest: RestService, tmp_path: Path
) -> None:
    rest.layouts[("Global", "Old")] = layout("Old")
    async with started(rest, tmp_path) as store:
        rest.away = True
        await store.save(layout())
        await store.save(layout(metadata={"second": True}))
        await store.rename(MORNING, "Evening")
        await store.set_default(LayoutKey("Global", "Evening"))
        await store.remove(LayoutKey("Global", "Old"))
        assert set(store.layouts()) == {LayoutKey("Global", "Evening")}
        assert store.waiting == 4
    async with started(rest, tmp_path) as store:
        assert set(store.layouts()) == {LayoutKey("Global", "Evening")}
        rest.away = False
        await store.refresh()
        assert (store.waiting, store.problems) == (0, [])
    assert rest.layouts == {("Global", "Evening"): layout("Evening", metadata={"second": True})}
    assert rest.default == {"name": "Evening", "type": "Global"}


async def test_a_conflict_keeps_both_versions_and_is_reported(rest: RestService, tmp_path: Path) -> None:
    rest.layouts[("Global", "Morning")] = layout()
    async with started(rest, tmp_path) as store:
        rest.away = True
        await store.save(layout(metadata={"here": True}))
        rest.away = False
        rest.layouts[("Global", "Morning")] = layout(metadata={"there": True})
        await store.refresh()
        names = {key.name: one["metadata"] for key, one in store.layouts().items()}
    assert names == {
        "Morning": {"there": True},
        "Morning (edited here, 2026-01-01 00.00.00)": {"here": True},
    }
    assert {name for _, name in rest.layouts} == set(names)
    assert ["changed elsewhere too" in problem for problem in store.problems] == [True]


async def test_a_removal_of_what_changed_elsewhere_is_dropped_and_said(rest: RestService, tmp_path: Path) -> None:
    rest.layouts[("Global", "Morning")] = layout()
    async with started(rest, tmp_path) as store:
        rest.away = True
        await store.remove(MORNING)
        rest.away = False
        rest.layouts[("Global", "Morning")] = layout(metadata={"there": True})
        await store.refresh()
        assert store.layouts()[MORNING]["metadata"] == {"there": True}
    assert ["remove is discarded" in problem for problem in store.problems] == [True]


async def test_the_same_change_on_both_sides_is_no_conflict(rest: RestService, tmp_path: Path) -> None:
    async with started(rest, tmp_path) as store:
        rest.away = True
        await store.save(layout())
        rest.away = False
        rest.layouts[("Global", "Morning")] = layout()
        await store.refresh()
    assert (set(rest.layouts), store.problems) == ({("Global", "Morning")}, [])


async def test_a_refused_edit_is_said_and_does_not_block_the_others(rest: RestService, tmp_path: Path) -> None:
    async with started(rest, tmp_path) as store:
        rest.refusing = True
        await store.save(layout())
        assert store.waiting == 0
        assert ["was refused" in problem for problem in store.problems] == [True]
        (kept,) = (tmp_path / "refused").iterdir()
        assert json.loads(kept.read_text())["data"]["body"]["name"] == "Morning"
        rest.refusing = False
        await store.save(layout("Evening"))
    assert set(rest.layouts) == {("Global", "Evening")}


async def test_changes_by_others_are_reported(rest: RestService, tmp_path: Path) -> None:
    async with started(rest, tmp_path) as store:
        heard: list[None] = []
        store.changed.connect(heard.append)
        await store.refresh()
        assert heard == []
        rest.layouts[("Global", "Morning")] = layout()
        await store.refresh()
        assert (heard, set(store.layouts())) == ([None], {MORNING})


@pytest.mark.parametrize("content", [b"{", b"", b'{"version": 1, "data": 5}', b'{"version": 99, "data": []}'])
async def test_a_damaged_outbox_is_set_aside_and_not_lost(rest: RestService, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "outbox.json").write_bytes(content)
    async with started(rest, tmp_path) as store:
        await store.save(layout())
    assert (tmp_path / "outbox.json.damaged-1").read_bytes() == content
    assert set(rest.layouts) == {("Global", "Morning")}


@pytest.mark.rule("E-4-6")
@pytest.mark.parametrize("default", [None, "/own"], ids=["no default", "the same answer everywhere"])
async def test_the_address_itself_is_asked_and_a_service_without_defaults_gets_the_edits(
    rest: RestService, tmp_path: Path, default: str | None
) -> None:
    rest.paths = {"layouts": "/own"}
    rest.also = {"/own/default": "/own"} if default else {}
    rest.layouts[("Global", "Morning")] = layout()
    evening = LayoutKey("Global", "Evening")
    async with started(rest, tmp_path, "/own") as store:
        assert (store.offline_reason, set(store.layouts())) == (None, {MORNING})
        await store.save(layout("Evening"))
        await store.set_default(evening)
        assert (store.waiting, store.problems, store.default()) == (0, [], evening)
    assert set(rest.layouts) == {("Global", "Morning"), ("Global", "Evening")}
    async with started(rest, tmp_path, "/own") as store:
        # The service cannot say which layout is the default, so this machine remembers it.
        assert store.default() == evening
        await store.set_default(None)
        assert store.default() is None


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [(404, b"", "status 404"), (401, b"", "status 401"), (200, b"{}", "must be an object with layouts")],
)
async def test_an_address_without_layouts_is_reported(tmp_path: Path, status: int, body: bytes, message: str) -> None:
    behave = answering(status, body, "Content-Type: application/json")
    async with running(behave) as server, Service(f"http://127.0.0.1:{server.port}/own") as service:
        store = RemoteLayoutStore("rest", RestLayoutCalls(service), tmp_path, interval=0)
        await store.open()
        await store.close()
        assert message in str(store.offline_reason)
        assert [one.path for one in server.requests] == ["/own", "/own/layouts"]
