"""Watching memory and large messages."""

import json
import logging
import os
import weakref
from pathlib import Path

import pytest
from msgspec import Raw

from rostrum.base.clock import SettableClock
from rostrum.gateway.options import MemoryWatch
from rostrum.gateway.watch import LargeMessages, MemoryWatcher, census, heap_bytes, snapshot_path
from tests.gateway.core import Core

MIB = 1024 * 1024


def watcher(folder: Path, size: int = 200, **options: int | str) -> tuple[MemoryWatcher, Core]:
    core = Core()
    client = core.connect("A")
    client.ask(type="create-context", name="large one", data={"secret": "x" * 1000}, lifetime="retained")
    watch = MemoryWatch(folder=folder, **{"limit": 100, **options})  # type: ignore[arg-type]
    return MemoryWatcher(watch, core.router.state, core.clock.now, lambda: size, some_objects), core


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def some_objects() -> list[dict[str, object]]:
    """The objects of one thing: those of a whole test run take seconds to count."""
    return await census([{"text": "x" * 5000, "more": ["y" * 100]}, ["z"], ["z", Raw(b"[1]")]])


@pytest.mark.rule("R-2.10-4", "R-2.10-5", "X-D-13", "L-D-3", "T-D-13")
async def test_above_the_limit_a_snapshot_shows_the_memory_usage(tmp_path: Path) -> None:
    memory, _ = watcher(tmp_path / "heapsnapshots", prefix="mine")

    path = await memory.look()

    assert path == tmp_path / "heapsnapshots" / "mine.1.heapsnapshot"
    document = json.loads(path.read_text())
    assert "Memory of a Rostrum gateway" in document["what"]
    assert (document["bytes"], document["limit"], document["peers"]) == (200, 100, 1)
    assert document["contexts"][0]["name"] == "large one"
    assert document["contexts"][0]["bytes"] > 1000
    assert document["types"][0] == {"type": "builtins.str", "count": 2, "bytes": document["types"][0]["bytes"]}
    assert document["types"][0]["bytes"] > 5000
    assert {"type": "msgspec.Raw", "count": 1, "bytes": 3} in document["types"]
    assert "secret" not in json.dumps(document["contexts"])


class Odd:
    def __sizeof__(self) -> int:
        raise RuntimeError


async def test_objects_that_are_half_gone_do_not_stop_the_count() -> None:
    referred = Odd()
    proxy = weakref.proxy(referred)
    del referred

    assert {each["type"] for each in await census([proxy, Odd()])} >= {"weakref.ProxyType", f"{__name__}.Odd"}


@pytest.mark.rule("R-2.10-6")
async def test_below_the_limit_only_a_line_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    memory, _ = watcher(tmp_path, size=100)

    with caplog.at_level(logging.INFO, "rostrum.gateway"):
        assert await memory.look() is None

    assert caplog.messages == ["heap size 100 bytes, 1 peers, 1 contexts"]
    assert names(tmp_path) == []


@pytest.mark.rule("R-2.10-4", "L-8-6")
async def test_the_oldest_snapshot_is_replaced(tmp_path: Path) -> None:
    memory, _ = watcher(tmp_path, most_snapshots=2)

    first, second = await memory.look(), await memory.look()
    assert first is not None
    assert second is not None
    os.utime(first, ns=(2, 2))
    os.utime(second, ns=(1, 1))

    assert await memory.look() == second
    assert names(tmp_path) == ["gw.1.heapsnapshot", "gw.2.heapsnapshot"]


async def test_no_backups_means_no_snapshots(tmp_path: Path) -> None:
    memory, _ = watcher(tmp_path, most_snapshots=0)

    assert await memory.look() is None


async def test_a_folder_that_cannot_be_written_is_said_and_nothing_stops(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    memory, _ = watcher(tmp_path / "file" / "below")

    assert await memory.look() is None
    assert "no snapshot can be written" in caplog.text


async def test_without_an_interval_nothing_is_looked_at(tmp_path: Path) -> None:
    memory, _ = watcher(tmp_path, interval=0)

    await memory.run()

    assert names(tmp_path) == []


def test_a_free_number_is_taken_first(tmp_path: Path) -> None:
    (tmp_path / "gw.1.heapsnapshot").write_text("")
    (tmp_path / "gw.3.heapsnapshot").write_text("")

    assert snapshot_path(tmp_path, "gw", 3).name == "gw.2.heapsnapshot"


def test_the_memory_of_the_process_is_known() -> None:
    assert MIB < heap_bytes() < 64 * 1024 * MIB


def test_large_messages_are_named_but_do_not_flood_the_log(
    clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    large = LargeMessages(20_000, clock.monotonic, most=2, span=60)

    for _ in range(5):
        large.warn("demo (p-1)", ("agm", "call"), 20_001)
    assert caplog.messages == ["large message: agm call from demo (p-1) has 20001 bytes (above 20000)"] * 2

    clock.advance(61)
    large.warn("demo (p-1)", ("agm", None), 30_000)
    assert caplog.messages[2:] == [
        "3 more large messages were not reported one by one",
        "large message: agm from demo (p-1) has 30000 bytes (above 20000)",
    ]
