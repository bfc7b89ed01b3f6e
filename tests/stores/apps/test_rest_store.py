"""Every property of a rest app store, seen on the wire or on disk."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.retry import Sleep
from rostrum.client.credentials import NOBODY, Basic, Credentials
from rostrum.stores.apps.registry import AppRegistry
from rostrum.stores.apps.rest_store import RestAppStore
from rostrum.stores.apps.store import Apps
from rostrum.stores.errors import StoreFailed
from tests.certificates import self_signed
from tests.sources.server import Request, Server, Slept, answering, down, in_turn, response, running, serving, slow
from tests.stores.apps.backends import app, rest_settings

CLOCK = "clock"
ANSWER = {"applications": [app(CLOCK)]}
STILL = {"pollInterval": 0, "startRetries": 0}


def store(
    url: str, folder: Path, *, sleep: Callable[[float], Awaitable[None]] | None = None, **details: Any
) -> RestAppStore:
    credentials: Credentials = details.pop("credentials", NOBODY)
    clock: SettableClock = details.pop("clock", SettableClock())
    watched: bool = details.pop("watched", True)
    settings = rest_settings(url, **{**STILL, **details})
    return RestAppStore(settings, credentials, folder, sleep=sleep or Slept(), clock=clock, watched=watched)


async def opened(server: Server, folder: Path, **details: Any) -> RestAppStore:
    made = store(server.url, folder, **details)
    await made.open()
    await made.close()
    return made


class Patient:
    """A sleep in which only pauses of one length end, and those at once."""

    def __init__(self, ends: float) -> None:
        self.ends = ends
        self.asked: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        if seconds != self.ends:
            await asyncio.Event().wait()


@pytest.mark.rule("R-2.5-1", "R-2.12-7", "E-4-5")
async def test_the_address_answers_the_applications(tmp_path: Path) -> None:
    async with running(serving(ANSWER)) as server:
        made = await opened(server, tmp_path)
    assert [*made.apps.definitions] == [CLOCK]
    assert [(request.method, request.path) for request in server.requests] == [("GET", "/systemConfig/get")]


async def test_an_fdc3_directory_answers_too(tmp_path: Path) -> None:
    record = {
        "appId": "chart",
        "title": "Chart",
        "type": "web",
        "details": {"url": "https://chart.example/"},
        "icons": [{"src": "https://chart.example/i.png"}],
        "interop": {
            "intents": {"listensFor": {"ViewChart": {"displayName": "Chart", "contexts": ["fdc3.instrument"]}}}
        },
        "hostManifests": {"rostrum": {"allowMultiple": False, "details": {"height": 300}}},
    }
    async with running(serving({"applications": [record], "message": "OK"})) as server:
        made = await opened(server, tmp_path)
    chart = made.apps.definitions["chart"]
    assert (chart["type"], chart["title"], chart["allowMultiple"]) == ("window", "Chart", False)
    assert chart["details"] == {"url": "https://chart.example/", "height": 300}
    assert chart["intents"] == [{"name": "ViewChart", "displayName": "Chart", "contexts": ["fdc3.instrument"]}]
    assert chart["fdc3"] == record


async def test_wrong_definitions_are_reported_and_left_out(tmp_path: Path) -> None:
    async with running(serving({"applications": [app(CLOCK), {"name": 5}, app(CLOCK)]})) as server:
        made = await opened(server, tmp_path)
    assert [*made.apps.definitions] == [CLOCK]
    assert any(problem.path.startswith("applications[1]") for problem in made.apps.problems)
    assert any("defined twice" in problem.message for problem in made.apps.problems)


@pytest.mark.rule("R-2.12-10", "L-D-6", "L-D-8", "L-D-9")
@pytest.mark.parametrize(
    ("retries", "interval", "read_cache_after", "pauses"),
    # Nothing stands for the default.
    [(None, None, None, {"retry": (5, 10), "cache": 30}), (2, 7000, 3000, {"retry": (2, 7), "cache": 3})],
)
async def test_start_retries_and_their_interval(
    tmp_path: Path, retries: int | None, interval: int | None, read_cache_after: int | None, pauses: Any
) -> None:
    count, seconds = pauses["retry"]
    slept = Patient(ends=seconds)
    details = {"startRetries": retries, "startRetryInterval": interval, "readCacheAfter": read_cache_after}
    async with running(in_turn(*[answering(503)] * count, serving(ANSWER))) as server:
        made = await opened(server, tmp_path, sleep=slept, **details)
    assert (len(server.requests), [*made.apps.definitions]) == (count + 1, [CLOCK])
    assert sorted(slept.asked) == sorted([*[seconds] * count, pauses["cache"]])


async def test_without_an_answer_and_without_a_cache_it_fails(tmp_path: Path) -> None:
    async with down() as server:
        made = store(server.url, tmp_path, sleep=Patient(ends=7), startRetries=2, startRetryInterval=7000)
        with pytest.raises(StoreFailed, match="the connection failed"):
            await made.open()
        await made.close()


@pytest.mark.rule("R-2.12-2")
async def test_an_optional_store_does_not_delay_the_start_and_is_requested_again(tmp_path: Path) -> None:
    no_pause_ends = Patient(ends=-1)
    async with down() as server:
        made = optional(server.url, tmp_path, no_pause_ends)
        with pytest.raises(StoreFailed, match=r"the connection failed.*it is asked again while the platform runs"):
            await made.open()
        await made.close()
    # A first answer that takes long is waited for, but not for the default of 30 s.
    async with slow() as server:
        made = optional(server.url, tmp_path, Patient(ends=5))
        with pytest.raises(StoreFailed, match="no answer yet; it is asked again while the platform runs"):
            await made.open()
        await made.close()
    # What was kept is used at once.
    async with running(serving(ANSWER)) as server:
        await opened(server, tmp_path)
    made = optional(server.url, tmp_path, no_pause_ends)
    await made.open()
    assert [*made.apps.definitions] == [CLOCK]
    await made.close()


async def test_a_store_that_answers_an_empty_list_later_is_not_missing_any_more(tmp_path: Path) -> None:
    async with running(answering(503)) as server:
        registry = AppRegistry([optional(server.url, tmp_path, asyncio.sleep, startRetryInterval=1)])
        again = asyncio.Event()
        registry.refreshed.connect(lambda _: again.set())
        await registry.open()
        assert len(registry.failures) == 1
        server.behaviour = serving({"applications": []})
        await asyncio.wait_for(again.wait(), 60)
        assert (registry.failures, registry.problems()) == ({}, ())
        await registry.close()


def optional(url: str, folder: Path, sleep: Sleep, **details: Any) -> RestAppStore:
    return RestAppStore(rest_settings(url, required=False, **details), NOBODY, folder, sleep=sleep)


@pytest.mark.rule("R-2.12-8")
async def test_the_kept_answer_is_used_after_read_cache_after_and_its_age_is_reported(tmp_path: Path) -> None:
    clock = SettableClock()
    async with running(serving(ANSWER)) as server:
        await opened(server, tmp_path, clock=clock)
    clock.advance(90)
    async with slow() as silent:
        # The same address, from which nothing comes any more.
        made = store(server.url, tmp_path, sleep=Patient(ends=0.5), clock=clock, readCacheAfter=500)
        made._service.address = silent.url
        await made.open()
        assert ([*made.apps.definitions], made.apps.age) == ([CLOCK], 90)
        await made.close()


@pytest.mark.rule("R-2.12-8")
async def test_a_persistent_cache_is_kept_in_the_cache_folder_and_can_be_switched_off(tmp_path: Path) -> None:
    async with running(serving(ANSWER)) as server:
        await opened(server, tmp_path / "usual", enablePersistentCache=False)
        assert not (tmp_path / "usual").exists()
        await opened(server, tmp_path / "usual", cacheFolder=str(tmp_path / "own"))
    (kept,) = list((tmp_path / "own").iterdir())
    assert json.loads(kept.read_text())["data"]["answer"] == ANSWER
    assert not (tmp_path / "usual").exists()


@pytest.mark.parametrize("content", [b"{", b'{"version": 1, "data": {}}', b'{"version": 1, "data": {"savedAt": 5}}'])
async def test_a_damaged_cache_is_no_cache(tmp_path: Path, content: bytes) -> None:
    async with running(serving(ANSWER)) as server:
        await opened(server, tmp_path)
    (kept,) = list(tmp_path.iterdir())  # noqa: ASYNC240
    kept.write_bytes(content)
    made = store(server.url, tmp_path, readCacheAfter=0)
    with pytest.raises(StoreFailed):
        await made.open()
    await made.close()


@pytest.mark.rule("R-2.12-10", "L-D-7")
async def test_the_request_timeout_ends_a_request(tmp_path: Path) -> None:
    async with slow() as server:
        made = store(server.url, tmp_path, requestTimeout=200)
        with pytest.raises(StoreFailed, match=r"no full answer within 0\.2 s"):
            await made.open()
        await made.close()


@pytest.mark.rule("R-2.12-9", "L-D-5")
async def test_polling_sends_the_current_version(tmp_path: Path) -> None:
    again = asyncio.Event()

    async def behave(request: Request) -> bytes:
        if "if-none-match" in request.headers:
            again.set()
            return response(304)
        return response(200, json.dumps(ANSWER).encode(), 'ETag: "v1"', "Content-Type: application/json")

    async with running(behave) as server:
        made = store(server.url, tmp_path, pollInterval=1)
        await made.open()
        await asyncio.wait_for(again.wait(), 60)
        await made.close()
    assert server.requests[1].headers["if-none-match"] == '"v1"'
    assert [*made.apps.definitions] == [CLOCK]


@pytest.mark.rule("R-2.12-14")
async def test_a_store_that_is_not_watched_asks_once(tmp_path: Path) -> None:
    async with running(serving(ANSWER)) as server:
        made = store(server.url, tmp_path, pollInterval=1, watched=False)
        await made.open()
        await asyncio.sleep(0.05)
        await made.close()
    assert len(server.requests) == 1


async def test_a_proxy_carries_the_requests(tmp_path: Path) -> None:
    async with running(serving(ANSWER)) as proxy:
        made = store(
            "http://apps.example/list", tmp_path, proxy=f"http://127.0.0.1:{proxy.port}", enablePersistentCache=False
        )
        await made.open()
        await made.close()
    assert proxy.requests[0].path == "http://apps.example/list"
    assert [*made.apps.definitions] == [CLOCK]


@pytest.mark.rule("R-2.12-11")
async def test_a_certificate_that_cannot_be_verified_is_refused_unless_it_may_be(tmp_path: Path) -> None:
    async with running(serving(ANSWER), self_signed(tmp_path)) as server:
        made = store(server.url, tmp_path / "cache")
        with pytest.raises(StoreFailed, match="certificate"):
            await made.open()
        await made.close()
        made = await opened(server, tmp_path / "cache", rejectUnauthorized=False)
    assert [*made.apps.definitions] == [CLOCK]


async def test_credentials_are_sent_and_appear_in_no_name_and_no_error(tmp_path: Path) -> None:
    async with running(answering(401)) as server:
        address = server.url.replace("//", "//me:secret@")
        made = store(address, tmp_path, credentials=Basic("ann", "pass"))
        with pytest.raises(StoreFailed) as failed:
            await made.open()
        await made.close()
    assert server.requests[0].headers["authorization"].startswith("Basic ")
    assert "secret" not in made.name + str(failed.value)


@pytest.mark.rule("R-2.12-6")
@pytest.mark.parametrize("trusted", [False, True])
async def test_trust_is_a_matter_of_the_store(tmp_path: Path, trusted: bool) -> None:
    async with running(serving(ANSWER)) as server:
        assert (await opened(server, tmp_path, trusted=trusted)).trusted is trusted


@pytest.mark.parametrize("answer", [[], {"applications": 5}, {"other": []}, "text", 5, None])
async def test_an_answer_of_another_shape_is_refused_or_empty(tmp_path: Path, answer: Any) -> None:
    async with running(serving(answer)) as server:
        made = store(server.url, tmp_path)
        if answer == []:
            await made.open()
            assert made.apps.definitions == {}
        else:
            with pytest.raises(StoreFailed, match="applications"):
                await made.open()
        await made.close()


async def test_very_many_apps_are_read_beside_everything_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_going_on, loop = threading.Event(), asyncio.get_running_loop()

    def read(entries: Iterable[tuple[str, Any]], *_: object, **__: object) -> Apps:
        loop.call_soon_threadsafe(is_going_on.set)
        assert is_going_on.wait(5)
        return Apps(definitions={str(entry): {} for _, entry in entries})

    monkeypatch.setattr("rostrum.stores.apps.remote_store.read_apps", read)
    async with running(serving({"applications": [*range(1000)]})) as server:
        made = store(server.url, tmp_path)
        await made.open()
        await made.close()
    assert len(made.apps.definitions) == 1000
