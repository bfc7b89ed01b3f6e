"""The start-up matrix: every kind of trouble, required or not, with or without a cache, to the outcome of the spec."""

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.sources.combine import Combined, combine
from rostrum.sources.errors import RequiredSourceFailed
from rostrum.sources.fetch import SourceReader, publish
from rostrum.sources.overrides_cache import OverridesCache
from rostrum.sources.path_source import PathReader
from rostrum.sources.rest_source import RestReader, TimeLimit, open_client
from rostrum.sources.source import DEFAULT_SOURCE, FetchedFile, Source
from tests.sources.server import ANSWER, Server, Slept, answering, down, running, serving, slow, until_asked

HUGE = json.dumps({"system.json": {"contents": {"x": "x" * 300_000}}}).encode()

REMOTE: dict[str, Callable[[], AbstractAsyncContextManager[Server]]] = {
    "ok": lambda: running(serving(ANSWER)),
    "slow": slow,
    "401": lambda: running(answering(401)),
    "500": lambda: running(answering(500)),
    "bad JSON": lambda: running(answering(200, b'{"system.json": {"contents": {"build":')),
    "not JSON": lambda: running(answering(200, b"<html>Sign in</html>", "Content-Type: text/html")),
    "down": down,
    "redirect": lambda: running(answering(307, b"", "Location: http://other.example/")),
    "huge": lambda: running(answering(200, HUGE)),
}
ASKED = {"ok": 1, "slow": 3, "401": 1, "500": 3, "bad JSON": 1, "not JSON": 1, "down": 0, "redirect": 1, "huge": 1}
TRIED_AGAIN = {"slow", "500", "down"}

LOCAL: dict[str, Callable[[Path], Any]] = {
    "ok": lambda folder: _file(folder, '{"build": "remote"}'),
    "missing": lambda folder: None,
    "bad JSON": lambda folder: _file(folder, '{"build": '),
    "not JSON": lambda folder: _file(folder, "<html>"),
    "folder in place of a file": lambda folder: (folder / "system.json").mkdir(parents=True),
}


def _file(folder: Path, content: str) -> None:
    folder.mkdir()
    (folder / "system.json").write_text(content)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    _file(tmp_path / "config", '{"build": "local"}')
    return tmp_path


@pytest.fixture
def cache(tmp_path: Path) -> OverridesCache:
    return OverridesCache(tmp_path / "UserData" / "DEMO-EMEA" / "configOverrides", SettableClock())


async def start(
    root: Path, cache: OverridesCache, source: Source, slept: Slept, limit: TimeLimit = asyncio.timeout
) -> Combined:
    async with open_client() as client:
        reader = SourceReader(PathReader(root), RestReader(client, slept, max_bytes=100_000, limit=limit), cache)
        combined = await combine([DEFAULT_SOURCE, source], reader)
        publish(cache, combined)
        return combined


def remember(cache: OverridesCache, source: Source) -> None:
    cache.save(source, {"system.json": FetchedFile(name="system.json", document={"build": "cached"})})


@pytest.mark.usual(16)
@pytest.mark.rule("R-2.8-2", "R-2.8-3", "R-2.8-18", "R-2.8-20")
@pytest.mark.parametrize(
    ("trouble", "required", "use_cache", "saved"), [*itertools.product(REMOTE, *[(False, True)] * 3)]
)
async def test_a_failing_remote_source_stops_the_start_only_when_required_and_not_cached(
    root: Path, cache: OverridesCache, trouble: str, required: bool, use_cache: bool, saved: bool
) -> None:
    slept = Slept()
    async with REMOTE[trouble]() as server:
        source = Source(
            type="rest",
            source=server.url,
            required=required,
            rest_use_cache=use_cache,
            rest_retries=2,
        )
        limit = (lambda _: until_asked(server)) if trouble == "slow" else asyncio.timeout
        if saved:
            remember(cache, source)
        # A source that refuses the user is not away: its earlier answer does not step in.
        from_cache = trouble not in ("ok", "401") and use_cache and saved
        if trouble != "ok" and not from_cache and required:
            with pytest.raises(RequiredSourceFailed, match=f"127.0.0.1:{server.port}/systemConfig/get"):
                await start(root, cache, source, slept, limit)
        else:
            combined = await start(root, cache, source, slept, limit)
            status = "ok" if trouble == "ok" else "cached" if from_cache else "failed"
            build = {"ok": "remote", "cached": "cached", "failed": "local"}[status]
            assert combined.sources[1].fetched.status == status
            assert combined.files["system.json"].document == {"build": build}
            assert combined.files["system.json"].origins[("build",)].cached == from_cache
            assert (combined.sources[1].fetched.error is None) == (trouble == "ok")
    assert len(server.requests) == ASKED[trouble]
    assert slept.seconds == ([1, 2] if trouble in TRIED_AGAIN else [])
    kept = cache.load(source)
    remembered = {"build": "remote"} if trouble == "ok" else {"build": "cached"} if saved else None
    assert (kept.files["system.json"].document if kept else None) == remembered


@pytest.mark.rule("R-2.8-2", "R-2.8-3")
@pytest.mark.parametrize(("trouble", "required"), [*itertools.product(LOCAL, (False, True))])
async def test_a_failing_local_source_stops_the_start_only_when_required(
    root: Path, cache: OverridesCache, trouble: str, required: bool
) -> None:
    LOCAL[trouble](root / "more")
    source = Source(type="path", source="more", required=required)
    remember(cache, source)
    if trouble != "ok" and required:
        with pytest.raises(RequiredSourceFailed, match="more: "):
            await start(root, cache, source, Slept())
        return
    combined = await start(root, cache, source, Slept())
    assert combined.files["system.json"].document == {"build": "remote" if trouble == "ok" else "local"}
    assert combined.sources[1].fetched.status == ("ok" if trouble == "ok" else "failed")


@pytest.mark.rule("R-2.8-20")
async def test_a_dead_server_is_replaced_by_what_it_said_before(root: Path, cache: OverridesCache) -> None:
    async with running(serving({**ANSWER, "custom.json": {"contents": {"a": 1}}})) as server:
        source = Source(type="rest", source=server.url, required=True)
        fresh = await start(root, cache, source, Slept())
    assert isinstance(cache.clock, SettableClock)
    cache.clock.advance(3600)
    later = await start(root, cache, source, Slept())
    assert {n: m.document for n, m in later.files.items()} == {n: m.document for n, m in fresh.files.items()}
    origin = later.files["system.json"].origins[("build",)]
    assert (origin.cached, origin.age) == (True, 3600)
    assert "saved 3600 s ago" in later.remarks[0].message


@pytest.mark.rule("R-2.8-4", "R-2.8-12")
async def test_files_of_remote_sources_are_found_in_the_overrides_folder(root: Path, cache: OverridesCache) -> None:
    files = {**ANSWER, "custom.json": {"contents": {"a": 1}}}
    async with running(serving(files)) as server:
        combined = await start(root, cache, Source(type="rest", source=server.url, configs="system.json"), Slept())
    folder = root / "UserData" / "DEMO-EMEA" / "configOverrides"
    seen = {path.name: json.loads(path.read_text()) for path in folder.glob("*.json")}
    assert seen == {"system.json": {"build": "remote"}, "custom.json": {"a": 1}}
    assert set(combined.files) == {"system.json"}


@pytest.mark.rule("R-2.8-5")
async def test_custom_files_come_only_from_remote_sources(root: Path, cache: OverridesCache) -> None:
    (root / "config" / "custom.json").write_text('{"from": "local"}')
    async with running(serving({"custom.json": {"contents": {"remote": True}}})) as server:
        combined = await start(root, cache, Source(type="rest", source=server.url), Slept())
    assert combined.files["custom.json"].document == {"remote": True}


async def test_a_damaged_cache_is_reported_and_not_used(root: Path, cache: OverridesCache) -> None:
    async with down() as server:
        source = Source(type="rest", source=server.url)
        remember(cache, source)
        (kept,) = (cache.folder / ".sources").iterdir()
        kept.write_text("{")
        combined = await start(root, cache, source, Slept())
    assert combined.files["system.json"].document == {"build": "local"}
    assert "the cached answer cannot be used" in combined.remarks[-1].message


async def test_a_folder_that_cannot_be_written_does_not_stop_the_start(root: Path, cache: OverridesCache) -> None:
    (root / "UserData").write_text("a file in the way")
    async with running(serving(ANSWER)) as server:
        combined = await start(root, cache, Source(type="rest", source=server.url), Slept())
    assert combined.files["system.json"].document == {"build": "remote"}
    assert "cannot be cached" in combined.remarks[-1].message
    assert "cannot be saved" in publish(cache, combined)[0].message
