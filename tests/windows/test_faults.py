"""Windows in hard times: pages that crash, a window process that is killed, and very many windows."""

import asyncio
import os
import signal
from functools import partial
from threading import Event

import pytest

from rostrum.desktop.windows.geometry import Bounds
from tests.long_form import cycles
from tests.windows.desk import DeskOfTests, page_area
from tests.windows.pages import page
from tests.windows.processes import descendants, memory, processes
from tests.windows.screen import Rectangle

pytestmark = pytest.mark.asyncio(loop_scope="module")

GREEN, MESSAGE = (0, 255, 0), (0xF4, 0xF6, 0xF9)
PAGES = {"/one": page("One", "one"), "/two": page("Two", "two")}
SIZE = {"width": 400, "height": 300}
APPS = {
    "one": {"url": "/one", "left": 100, "top": 100, **SIZE, "channelSelector": {"enabled": True}},
    "two": {"url": "/two", "left": 700, "top": 100, **SIZE},
    "again": {"url": "/one", "left": 100, "top": 500, **SIZE, "reloadOptions": {"maxAttempts": 3, "timeout": 100}},
    "small": {"url": "/two", "width": 200, "height": 150},
}
SETTINGS = {"channels": {"definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}]}}


async def renderer(desk: DeskOfTests, instance: str) -> int:
    """Return the process of a page."""
    started = await desk.report("RendererStarted", instance)
    return int(started.process)


async def test_a_page_whose_process_ends_shows_a_message_and_other_pages_continue(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("one")
    await desk.loaded("two")
    middle = page_area(window).center
    await desk.screen.until("the page", lambda: desk.screen.pixel(*middle) == GREEN)

    os.kill(await renderer(desk, instance), signal.SIGKILL)
    crashed = await desk.report("Crashed", instance)
    assert crashed.reason in ("killed", "crashed")
    await desk.screen.until("a message in place of the page", lambda: desk.screen.pixel(*middle) != GREEN)
    assert desk.platform.services.instances.get(instance) is not None
    async with desk.cdp.page("/two") as other:
        assert await other.evaluate("document.title") == "Two"


async def test_a_page_with_reload_options_comes_back_by_itself(desk: DeskOfTests) -> None:
    instance, _ = await desk.loaded("again")
    process = await renderer(desk, instance)
    desk.reported.clear()

    os.kill(process, signal.SIGKILL)
    await desk.report("Crashed", instance)
    await desk.report("LoadFinished", instance)
    assert await renderer(desk, instance) != process


@pytest.mark.long
async def test_windows_come_back_with_place_channel_and_instance_when_their_process_is_killed(
    desk: DeskOfTests,
) -> None:
    one, window = await desk.loaded("one")
    two, _ = await desk.loaded("two")
    desk.platform.services.channels.join(one, "Red")
    await desk.platform.host.move_window(one, Bounds(150, 160, 410, 310))
    await desk.now(window, "the new place", lambda now: now.bounds == Rectangle(150, 160, 410, 310))
    killed, client = desk.host.process, await desk.platform.gateway.local_peer("client", "ann")
    assert killed is not None
    before = descendants(killed)
    desk.reported.clear()

    os.kill(killed, signal.SIGKILL)
    answers = 0
    async with asyncio.timeout(60):
        while desk.host.process in (killed, None) or len(desk.windows()) < 2:
            assert await client.methods.call("Rostrum.Apps.List")
            answers += 1
            await asyncio.sleep(0.02)
    assert answers > 3
    for instance in (one, two):
        await desk.report("LoadFinished", instance)
    places = {window.title: window.bounds for window in desk.windows()}
    assert places == {"one": Rectangle(150, 160, 410, 310), "two": Rectangle(700, 100, 400, 300)}
    assert desk.platform.services.channels.of(one) == ("Red",)
    red = (150 + 4 + 9, 160 + 4 + 5)
    await desk.screen.until("the colour of its channel", lambda: desk.screen.pixel(*red) == (255, 0, 0))
    await desk.screen.until("the end of its processes", lambda: not (before.keys() & processes().keys()))
    await client.close()


@pytest.mark.long
async def test_a_page_during_whose_load_all_windows_are_lost_repeatedly_is_not_loaded_again_by_itself(
    desk: DeskOfTests,
) -> None:
    good, shown = await desk.loaded("one")
    never, requests = Event(), desk.pages.requests
    desk.pages.answers["/fatal"] = lambda: (never.wait(60), page("Fatal"))[1]
    try:
        bad, _ = await desk.start("two", details={"url": f"{desk.pages.address}/fatal"})
        for count in (1, 2):
            await desk.screen.until("the request", partial(lambda count: requests.count("/fatal") == count, count))
            process = desk.host.process
            assert process is not None
            desk.reported.clear()
            os.kill(process, signal.SIGKILL)
            await desk.report("LoadFinished", good)
        window = await desk.screen.until("its window", lambda: desk.screen.find("two"))
        area = page_area(window)
        await desk.screen.until("a message", partial(desk.screen.shows, (area.x + 5, area.y + 5), MESSAGE))
        assert requests.count("/fatal") == 2
    finally:
        never.set()
    assert (await desk.screen.until("the other window", lambda: desk.screen.find("one"))).bounds == shown.bounds
    # The person tries again, with the first of two buttons below the text.
    desk.screen.click(area.center[0] - 40, area.center[1] + 20)
    await desk.report("LoadFinished", bad)
    assert requests.count("/fatal") == 3


@pytest.mark.long
async def test_windows_that_open_and_close_again_and_again_leave_nothing_behind(desk: DeskOfTests) -> None:
    """The long form is ``LONG=200``."""
    host = desk.host.process
    assert host is not None
    sizes: list[int] = []
    for _ in range(cycles(8)):
        instance, _ = await desk.loaded("two")
        await desk.platform.services.instances.stop(instance)
        await desk.screen.until("no window", lambda: not desk.windows())
        sizes.append(memory(host, *descendants(host)))
        desk.reported.clear()

    assert desk.host.process == host
    # After the first windows, a cache is filled at most. Windows that are prepared for later come and go meanwhile.
    assert min(sizes[-3:]) - max(sizes[:5]) < 40_000, sizes


@pytest.mark.long
async def test_thirty_windows_open_at_once_and_are_all_there(desk: DeskOfTests) -> None:
    started = await asyncio.gather(*(desk.platform.services.instances.start("small") for _ in range(30)))

    await desk.screen.until("thirty windows", lambda: len(desk.windows()) == 30)
    for instance in started:
        await desk.report("LoadFinished", instance.id)
    places = {window.bounds for window in desk.windows()}
    assert {(place.width, place.height) for place in places} == {(200, 150)}
    assert all(place.x >= 0 and place.right <= 1600 and place.y >= 0 and place.bottom <= 900 for place in places)
