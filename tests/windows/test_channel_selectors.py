"""The four types of channel selectors on the screen, in windows of web apps, with the unmodified client library."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from rostrum.desktop.services.channels import Restriction
from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests, button
from tests.windows.pages import Served, page
from tests.windows.screen import Rectangle, Window
from tests.windows.test_services import START, library

pytestmark = pytest.mark.asyncio(loop_scope="module")

RED, BLUE = (255, 0, 0), (0, 0, 255)
LINE = 14
"""From the edge of a menu to the middle of its first or last line."""
PAGES: dict[str, Served] = {
    f"/{name}": page(name, head=START) for name in ("usual", "single", "directed", "several", "fixed")
}
PAGES |= {"/library.js": library}
SIZE = {"width": 400, "height": 300}
APPS = {
    # What the settings say for all windows.
    "usual": {"url": "/usual", "left": 50, "top": 50, **SIZE},
    "single": {"url": "/single", "left": 50, "top": 450, **SIZE, "channelSelector": {"type": "single"}},
    "directed": {"url": "/directed", "left": 500, "top": 50, **SIZE, "channelSelector": {"type": "directionalSingle"}},
    "several": {"url": "/several", "left": 950, "top": 50, **SIZE, "channelSelector": {"type": "directionalMulti"}},
    "fixed": {"url": "/fixed", "left": 950, "top": 450, **SIZE, "channelSelector": {"readOnly": True}},
}
SETTINGS = {
    "channels": {
        "definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}, {"name": "Blue", "meta": {"color": "#0000ff"}}]
    },
    "windows": {"channelSelector": {"enabled": True, "type": "multi", "channelId": "Red"}},
}


@asynccontextmanager
async def ready(desk: DeskOfTests, path: str) -> AsyncIterator[Page]:
    async with desk.cdp.page(path) as found:
        await found.until("window.io && true")
        yield found


def selector(window: Window) -> Rectangle:
    """Return where the selector is, at the left of the caption bar."""
    return Rectangle(window.bounds.x + 10, window.bounds.y + 7, 26, 24)


async def open_menu(desk: DeskOfTests, window: Window) -> Rectangle:
    return await desk.screen.menu_at(*selector(window).center)


async def closed(desk: DeskOfTests) -> None:
    await desk.screen.until("no menu", lambda: not desk.screen.menus() or None)


def colors(desk: DeskOfTests, window: Window) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return the colours at the left and at the right of a selector."""
    x, y, width, _ = selector(window)
    return desk.screen.pixel(x + 2, y + 3), desk.screen.pixel(x + width - 3, y + 3)


@pytest.mark.rule("R-2.17-1", "R-2.17-3")
async def test_a_selector_of_several_channels_joins_and_leaves_one_after_the_other(desk: DeskOfTests) -> None:
    _, window = await desk.loaded("usual")
    async with ready(desk, "/usual") as client:
        await client.until("io.channels.myChannels().join() === 'Red'")
        await desk.screen.until("red", lambda: colors(desk, window) == (RED, RED))
        menu = await open_menu(desk, window)
        desk.screen.click(menu.x + 40, menu.y + LINE + 24)
        await desk.screen.until("red and blue", lambda: colors(desk, window) == (RED, BLUE))
        await client.until("io.channels.myChannels().length === 2")
        await closed(desk)
        menu = await open_menu(desk, window)
        desk.screen.click(menu.x + 40, menu.y + LINE)
        await desk.screen.until("blue", lambda: colors(desk, window) == (BLUE, BLUE))
        await closed(desk)
        menu = await open_menu(desk, window)
        desk.screen.click(menu.x + 40, menu.bottom - LINE)
        await desk.screen.until("no channel", lambda: BLUE not in colors(desk, window))
        await client.until("io.channels.myChannels().length === 0")


async def test_a_selector_of_one_channel_leaves_the_one_before(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("single")
    await desk.screen.until("red", lambda: colors(desk, window) == (RED, RED))
    menu = await open_menu(desk, window)
    desk.screen.click(menu.x + 40, menu.y + LINE + 24)
    await desk.screen.until("blue", lambda: colors(desk, window) == (BLUE, BLUE))
    assert desk.platform.services.channels.of(instance) == ("Blue",)


@pytest.mark.long
async def test_a_selector_with_directions_stops_a_window_from_sending_and_lets_it_send_again(
    desk: DeskOfTests,
) -> None:
    channels = desk.platform.services.channels

    def is_red(window: Window) -> bool:
        return colors(desk, window) == (RED, RED)

    def is_restricted(instance: str, restriction: Restriction) -> bool:
        return channels.restrictions(instance).get("Red") == restriction

    for app in ("directed", "several"):
        await desk.loaded("single")
        instance, window = await desk.loaded(app)
        await desk.report("Focused", instance, lambda one: one.focused)
        async with ready(desk, f"/{app}") as sender, ready(desk, "/single") as receiver:
            await sender.until("io.channels.myChannels().join() === 'Red'")
            await receiver.until("io.channels.my() === 'Red'")
            await desk.screen.until("red", partial(is_red, window))
            for allowed, ticker in ((False, "held back"), (True, "sent")):
                # The last line: "Send to Red".
                menu = await open_menu(desk, window)
                desk.screen.click(menu.x + 40, menu.bottom - LINE)
                wanted = Restriction(read=True, write=allowed)
                await desk.screen.until("the restriction", partial(is_restricted, instance, wanted))
                await sender.until(
                    "io.channels.getRestrictions().then(({ channels }) =>"
                    f" channels.some((one) => one.name === 'Red' && one.write === {str(allowed).lower()} && one.read))"
                )
                await closed(desk)
                await sender.evaluate(f"io.channels.publish({{ ticker: {ticker!r} }}, 'Red').catch(() => null)")
            await receiver.until("heard.includes('sent')")
            assert not await receiver.evaluate("heard.includes('held back')")
        await desk.close_all()


async def test_a_selector_that_is_read_only_shows_the_channel_and_opens_no_menu(desk: DeskOfTests) -> None:
    instance, window = await desk.loaded("fixed")
    await desk.screen.until("red", lambda: colors(desk, window) == (RED, RED))
    desk.screen.click(*selector(window).center)
    # The next click is processed after the first one.
    desk.screen.click(*button(window, "maximize"))
    await desk.report("StateChanged", instance, lambda one: one.state == "maximized")
    assert desk.screen.menus() == []
    assert desk.platform.services.channels.of(instance) == ("Red",)
