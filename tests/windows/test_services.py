"""Channels, toasts, hotkeys and alerts on the screen, used by pages with the unmodified client library."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from rostrum.base.ids import new_id
from rostrum.desktop.services.alerts import Alerts
from rostrum.settings.sections.user_interface import Alerts as AlertSettings
from tests.windows.cdp import Page
from tests.windows.desk import BORDER, DeskOfTests, button
from tests.windows.pages import Answer, page
from tests.windows.screen import Rectangle, Window

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIBRARY = (
    Path(__file__).parents[1]
    / "gateway"
    / "node"
    / "node_modules"
    / "@interopio"
    / "desktop"
    / "dist"
    / "desktop.umd.js"
)
START = """<script src="/library.js"></script><script>
  window.heard = [];
  IODesktop({ channels: true }).then((io) => {
    window.io = io;
    io.channels.subscribe((data) => { if (data.ticker) heard.push(data.ticker); });
  });
</script>"""
RAISE = """io.notifications.raise({
  title: "Order filled", body: "100 ABC", actions: [{ action: "open", title: "Open order" }],
}).then((raised) => {
  raised.onclick = () => heard.push("clicked");
  raised.onaction = (event) => heard.push(event.action);
})"""
PICTURE = """(async () => {
  const [display] = await io.displays.all();
  const image = new Image();
  image.src = "data:image/png;base64," + await io.displays.capture({ id: display.id, size: { scale: 0.5 } });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const color = [...context.getImageData(%d / 2, %d / 2, 1, 1).data];
  return { width: image.width, height: image.height, color };
})()"""
SELECTOR = {"channelSelector": {"enabled": True}}
RED, BLUE = (255, 0, 0), (0, 0, 255)


def library() -> Answer:
    return 200, {"Content-Type": "text/javascript"}, LIBRARY.read_bytes()


PAGES = {"/one": page("One", head=START), "/two": page("Two", head=START), "/library.js": library}
APPS = {
    "one": {"url": "/one", "left": 100, "top": 100, "width": 500, "height": 400, "allowCapture": True, **SELECTOR},
    "two": {"url": "/two", "left": 700, "top": 100, "width": 500, "height": 400, **SELECTOR},
}
SETTINGS = {
    "alerts": {"ttl": 1000, "width": 320, "height": 90},
    "channels": {
        "definitions": [{"name": "Red", "meta": {"color": "#ff0000"}}, {"name": "Blue", "meta": {"color": "#0000ff"}}]
    },
    "notifications": {
        "snooze": {"enabled": True},
        "closeNotificationOnClick": True,
        "placement": {"panel": "left", "toasts": "top-left"},
    },
}


@asynccontextmanager
async def ready(desk: DeskOfTests, path: str) -> AsyncIterator[Page]:
    async with desk.cdp.page(path) as found:
        await found.until("window.io && true")
        yield found


async def choose_first_channel(desk: DeskOfTests, window: Window) -> None:
    """Choose the first line of the channel selector at the left of the caption bar."""
    menu = await desk.screen.menu_at(window.bounds.x + 23, window.bounds.y + 19)
    desk.screen.click(menu.x + 40, menu.y + 14)


def bar(window: Window) -> tuple[int, int]:
    """Return a point of the caption bar that has the colour of the channel."""
    return window.bounds.x + 13, window.bounds.y + BORDER + 6


def is_red(desk: DeskOfTests, point: tuple[int, int]) -> bool:
    return desk.screen.pixel(*point) == RED


@pytest.mark.long
async def test_two_pages_join_a_channel_by_their_selectors_and_follow_each_other(desk: DeskOfTests) -> None:
    (_, first), (other, second) = await desk.loaded("one"), await desk.loaded("two")
    async with ready(desk, "/one") as one, ready(desk, "/two") as two:
        for window, client in ((first, one), (second, two)):
            await choose_first_channel(desk, window)
            await desk.screen.until("the colour of the channel", partial(is_red, desk, bar(window)))
            await client.until("io.channels.my() === 'Red'")
        await one.evaluate("io.channels.publish({ ticker: 'ABC' })")
        await two.until("heard.includes('ABC')")
        await two.evaluate("io.channels.publish({ ticker: 'XYZ' })")
        await one.until("heard.includes('XYZ')")
        # A page that joins by itself shows it in its bar, and another page can switch it.
        await two.evaluate("io.channels.join('Blue')")
        await desk.screen.until("blue", lambda: desk.screen.pixel(*bar(second)) == BLUE)
        await one.evaluate("io.channels.publish({ ticker: 'not for two' })")
        await one.until("heard.includes('not for two')")
        assert not await two.evaluate("heard.includes('not for two')")
        await one.evaluate(f"io.channels.join('Red', {other!r})")
        await two.until("io.channels.my() === 'Red'")
        await desk.screen.until("red again", lambda: desk.screen.pixel(*bar(second)) == RED)
        await two.evaluate("io.channels.leave()")
        await desk.screen.until("no colour", lambda: desk.screen.pixel(*bar(second)) != RED)


async def test_a_click_on_a_toast_and_on_its_action_reaches_the_page_that_raised_it(desk: DeskOfTests) -> None:
    await desk.loaded("one")

    def toasts() -> list[Rectangle]:
        return [one.bounds for one in desk.screen.windows() if one.title == "Notification"]

    async with ready(desk, "/one") as one:
        for action, place in (("", "middle"), ("open", "left")):
            await one.evaluate(RAISE)
            (toast,) = await desk.screen.until("a toast", lambda: toasts() or None)
            x, y, width, height = toast
            desk.screen.click(*((x + width // 2, y + 15) if place == "middle" else (x + 60, y + height - 22)))
            await one.until(f"heard.includes({action or 'clicked'!r})")
            await desk.screen.until("the toast is gone", lambda: not toasts() or None)
    await desk.platform.services.notifications.close_all()


@pytest.mark.rule("R-2.15-6", "R-2.15-8", "R-2.15-10")
async def test_toasts_come_in_their_corner_one_by_one_or_in_stacks_and_go_after_their_time(desk: DeskOfTests) -> None:
    notifications = desk.platform.services.notifications

    def toasts() -> list[Rectangle]:
        return [one.bounds for one in desk.screen.windows() if one.title == "Notification"]

    def are(number: int) -> bool:
        return len(toasts()) == number

    for mode, number in (("single", 3), ("stacked", 2)):
        notifications.configure({"toasts": {"mode": mode, "stackBy": "severity"}, "toastExpiry": 60_000})
        for severity in ("High", "High", "Low"):
            await notifications.raise_("one", "Order filled", severity=severity)
        await desk.screen.until(f"{number} toasts", partial(are, number))
        assert all(one.x < 100 and one.y < 500 for one in toasts()), "they are in the corner at the top left"
        await notifications.close_all()
        await desk.screen.until("no toasts", lambda: not toasts() or None)
    notifications.configure({"toastExpiry": 500, "placement": {"toasts": "bottom-right"}})
    await notifications.raise_("one", "Order filled")
    (corner,) = await desk.screen.until("a toast", toasts)
    assert corner.x > 1000
    assert corner.y > 500
    await desk.screen.until("the toast goes by itself", lambda: not toasts() or None)
    assert len(notifications.all) == 1
    notifications.configure({"toastExpiry": 15_000, "placement": {"toasts": "top-left"}})
    await notifications.close_all()


@pytest.mark.long
@pytest.mark.rule("R-2.15-8")
async def test_a_page_shows_the_panel_at_its_side_and_detects_that_the_user_closed_it(desk: DeskOfTests) -> None:
    await desk.loaded("one")

    def panel() -> Window | None:
        return desk.screen.find("Notifications")

    async with ready(desk, "/one") as one:
        await one.evaluate("io.notifications.panel.show()")
        shown = await desk.screen.until("the panel", panel)
        assert shown.bounds.x == 0
        assert await one.evaluate("io.notifications.panel.isVisible()")
        await one.evaluate("io.notifications.panel.hide()")
        await desk.screen.until("no panel", lambda: panel() is None or None)
        desk.platform.services.notifications.configure({"placement": {"panel": "right"}})
        await one.evaluate("io.notifications.panel.toggle()")
        shown = await desk.screen.until("the panel at the right", panel)
        assert shown.bounds.x > 1000
        desk.screen.activate(shown)
        await desk.screen.until("its focus", lambda: desk.screen.has_focus(shown))
        desk.screen.click(*button(shown, "close"))
        await desk.screen.until("no panel", lambda: panel() is None or None)
        await one.until("io.notifications.panel.isVisible().then((visible) => !visible)")


async def test_an_app_with_permission_captures_displays_and_reads_the_position_of_the_pointer(
    desk: DeskOfTests,
) -> None:
    _, window = await desk.loaded("one")
    async with ready(desk, "/one") as one:
        await desk.screen.until("the page", lambda: desk.screen.pixel(*window.bounds.center) == (0, 255, 0))
        x, y = window.bounds.center
        desk.screen.move(x, y)
        assert await one.evaluate("io.displays.getMousePosition()") == {"x": x, "y": y}
        seen = await one.evaluate(PICTURE % (x, y))
    assert seen == {"width": 800, "height": 450, "color": [0, 255, 0, 255]}


@pytest.mark.long
async def test_a_hotkey_reaches_the_page_that_registered_it_while_another_window_has_the_keyboard(
    desk: DeskOfTests,
) -> None:
    await desk.loaded("one")
    _, second = await desk.loaded("two")
    async with ready(desk, "/one") as one, ready(desk, "/two") as two:
        await one.evaluate("io.hotkeys.register('Ctrl + Shift + K', () => heard.push('K'))")
        desk.screen.activate(second)
        desk.screen.key("Control_L", "Shift_L", "k")
        await one.until("heard.includes('K')")
        # With a lock on, it is the same hotkey.
        desk.screen.key("Num_Lock")
        desk.screen.key("Control_L", "Shift_L", "k")
        await one.until("heard.filter((key) => key === 'K').length === 2")
        desk.screen.key("Num_Lock")
        refused = "io.hotkeys.register('ctrl+shift+k', () => {}).then(() => '', (error) => error.message)"
        assert "already registered by one" in await two.evaluate(refused)
        await one.evaluate("io.hotkeys.unregister('ctrl+shift+k')")
        await two.evaluate("io.hotkeys.register('ctrl+shift+k', () => heard.push('K'))")
        desk.screen.key("Control_L", "Shift_L", "k")
        await two.until("heard.includes('K')")
        assert await one.evaluate("heard.filter((key) => key === 'K').length") == 2


@pytest.mark.rule("R-2.15-11")
async def test_an_alert_is_shown_for_a_while_and_may_be_a_page_of_the_firm(desk: DeskOfTests) -> None:
    assert await desk.platform.services.alerts.show("Prices are late") is not None
    alert = await desk.screen.until("the alert", lambda: desk.screen.find("Prices are late"))
    assert alert.bounds == Rectangle(1600 - 320 - 20, 20, 320, 90)
    assert not any(one.title == "Prices are late" for one in [desk.screen.active()] if one is not None)
    await desk.screen.until("the alert is gone", lambda: desk.screen.find("Prices are late") is None)
    own, over = f"{desk.pages.address}/two", asyncio.Event()

    async def wait(_: float) -> None:
        await over.wait()

    alerts = Alerts(AlertSettings(url=own, width=300, height=80), desk.platform.host, new_id=new_id, sleep=wait)
    await alerts.show("Prices & more")
    alert = await desk.screen.until("the page of the firm", lambda: desk.screen.find("Prices & more"))
    assert alert.bounds == Rectangle(1600 - 300 - 20, 20, 300, 80)
    async with desk.cdp.page("/two?text=") as inside:
        await inside.until("new URLSearchParams(location.search).get('text') === 'Prices & more'")
    over.set()
    await desk.screen.until("no alert", lambda: desk.screen.find("Prices & more") is None)
    await alerts.close()
