"""The resolver of the desktop: people choose which app handles an intent of an FDC3 app."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests, page_area
from tests.windows.pages import Served, page
from tests.windows.screen import Rectangle, Window
from tests.windows.test_fdc3 import client

pytestmark = pytest.mark.asyncio(loop_scope="module")

LISTENS = """<script type="module" src="/app-page.js"></script><script type="module">
window.handled = [];
window.agent = await connecting;
if (location.pathname !== "/asker") await agent.addIntentListener("ViewChart", (context) => { handled.push(context); });
window.isReady = true;
</script>"""
PAGES: dict[str, Served] = {"/app-page.js": client}
PAGES |= {f"/{name}": page(name, f"<p>{name}</p>{LISTENS}") for name in ("asker", "chart", "plot")}
SIZE = {"width": 400, "height": 300}
FDC3 = {"autoInjectFdc3": {"enabled": True}}
VIEW = {"intents": [{"name": "ViewChart", "displayName": "View chart", "contexts": ["fdc3.instrument"]}]}
APPS = {
    "asker": {"url": "/asker", "left": 900, "top": 100, **SIZE, **FDC3},
    "chart": {"url": "/chart", "left": 0, "top": 0, **SIZE, **FDC3, **VIEW},
    "plot": {"url": "/plot", "left": 0, "top": 400, **SIZE, **FDC3, **VIEW},
}
SETTINGS = {"themes": {"availableThemes": [{"name": "light"}, {"name": "dark"}]}}
TITLE = 'Choose an app for "View chart"'
IBM = '{"type": "fdc3.instrument", "id": {"ticker": "IBM"}}'
RAISE = f"""void (window.outcome = null, agent.raiseIntent("ViewChart", {IBM}).then(
  (found) => {{ window.outcome = found.source; }}, (error) => {{ window.outcome = error.message; }}))"""
LIGHT, DARK, BORDER = (255, 255, 255), (38, 44, 56), (195, 202, 213)
"""The background of the dialog in both themes, and the light border of its list."""


@asynccontextmanager
async def asking(desk: DeskOfTests) -> AsyncIterator[tuple[Page, str, Window]]:
    """Start the app that raises the intent; a person has clicked in it."""
    instance, window = await desk.loaded("asker")
    await desk.drawn("/asker")
    desk.screen.click(*page_area(window).center)
    await desk.report("Focused", instance, lambda one: one.focused)
    async with desk.cdp.page("/asker") as asker:
        await asker.until("window.isReady")
        yield asker, instance, window


async def raised(desk: DeskOfTests, asker: Page) -> Window:
    """Raise the intent; return the dialog when it has the keyboard."""
    await asker.evaluate(RAISE)
    dialog = await desk.screen.until("the resolver", lambda: desk.screen.find(TITLE))
    await desk.screen.until("the focus", lambda: desk.screen.has_focus(dialog) or None)
    return dialog


async def gone(desk: DeskOfTests) -> None:
    await desk.screen.until("no resolver", lambda: desk.screen.find(TITLE) is None or None)


@pytest.mark.long
async def test_people_choose_an_app_or_a_running_instance_with_the_keyboard_or_the_mouse(desk: DeskOfTests) -> None:
    async with asking(desk) as (asker, _, _):
        await raised(desk, asker)
        desk.screen.key("Down")
        desk.screen.key("Return")
        await gone(desk)
        started = await asker.until("window.outcome", within=60)
        assert started["appId"] == "plot"
        async with desk.cdp.page("/plot") as plot:
            assert await plot.until("handled.length") == 1

        # The instance that runs is first now, and comes to the front when it is chosen.
        asker_window = next(one for one in desk.windows() if one.title == "asker")
        desk.screen.click(*page_area(asker_window).center)
        await desk.screen.until("the focus", lambda: desk.screen.has_focus(asker_window) or None)
        desk.reported.clear()
        await raised(desk, asker)
        desk.screen.key("Return")
        assert await asker.until("window.outcome") == started
        await desk.report("Focused", started["instanceId"], lambda one: one.focused)

        desk.screen.click(*page_area(asker_window).center)
        await desk.screen.until("the focus", lambda: desk.screen.has_focus(asker_window) or None)
        dialog = await raised(desk, asker)
        # Headings cannot be chosen. Below "Running", its one option and "Start" is the first app.
        left, top = dialog.bounds.x + 100, await _list_top(desk, dialog)
        desk.screen.click(left, top + 13)
        desk.screen.click(left, top + 26 + 46 + 26 + 23)
        assert (await asker.until("window.outcome", within=60))["appId"] == "chart"
        await gone(desk)


async def _list_top(desk: DeskOfTests, dialog: Window) -> int:
    """Find the top of the list below the title and the note: its border has another colour than both sides of it."""
    x, y, _, height = dialog.bounds

    def found() -> int | None:
        column = desk.screen.image(Rectangle(x + 30, y, 1, height))
        rows = [row for row in range(10, height - 10) if column.pixel(0, row) == BORDER]
        # The upper border and the lower one, when both are drawn.
        return y + rows[0] + 1 if len(rows) == 2 else None

    return await desk.screen.until("the list", found)


async def test_intents_are_cancelled_by_escape_or_by_closing_the_resolver(desk: DeskOfTests) -> None:
    async with asking(desk) as (asker, _, _):
        await raised(desk, asker)
        desk.screen.key("Escape")
        assert await asker.until("window.outcome") == "UserCancelledResolution"
        await gone(desk)

        await asker.evaluate(RAISE)
        dialog = await desk.screen.until("the resolver", lambda: desk.screen.find(TITLE))
        desk.screen.ask_to_close(dialog)
        assert await asker.until("window.outcome") == "UserCancelledResolution"
        await gone(desk)


@pytest.mark.long
async def test_a_resolver_that_is_no_longer_needed_is_closed_and_the_next_question_is_shown(desk: DeskOfTests) -> None:
    async with asking(desk) as (_, first, _):
        other, _ = await desk.loaded("chart")
        async with desk.cdp.page("/chart") as chart, desk.cdp.page("/asker") as asker:
            await chart.until("window.isReady")
            await asker.evaluate(RAISE)
            shown = await desk.screen.until("the resolver", lambda: desk.screen.find(TITLE))
            await chart.evaluate(RAISE)
            assert [one.title for one in desk.screen.windows()].count(TITLE) == 1
            await desk.platform.services.instances.stop(first)

            def next_one() -> Window | None:
                found = desk.screen.find(TITLE)
                return found if found is not None and found.id != shown.id else None

            dialog = await desk.screen.until("the second question", next_one)
            desk.screen.ask_to_close(dialog)
            assert await chart.until("window.outcome") == "UserCancelledResolution"
        assert other in {one.id for one in desk.platform.services.instances.all}


async def test_the_resolver_is_on_the_display_of_the_app_and_follows_the_theme(desk: DeskOfTests) -> None:
    left, right = Rectangle(0, 0, 800, 900), Rectangle(800, 0, 800, 900)
    await desk.divide(("left", left), ("right", right))
    async with asking(desk) as (asker, instance, _):
        dialog = await raised(desk, asker)
        assert abs(dialog.bounds.center[0] - right.center[0]) <= 1
        await desk.screen.until("light", lambda: desk.screen.shows(_corner(dialog), LIGHT) or None)
        await desk.platform.services.themes.select("dark")
        await desk.screen.until("dark", lambda: desk.screen.shows(_corner(dialog), DARK) or None)
        desk.screen.key("Escape")
        await gone(desk)
        await desk.platform.services.themes.select("light")

        # The window is hidden: the pointer says where the person is.
        await desk.platform.services.windows.control.hide(instance)
        desk.screen.move(*left.center)
        await asker.evaluate(RAISE)
        dialog = await desk.screen.until("the resolver", lambda: desk.screen.find(TITLE))
        assert abs(dialog.bounds.center[0] - left.center[0]) <= 1
        desk.screen.ask_to_close(dialog)
        assert await asker.until("window.outcome") == "UserCancelledResolution"


def _corner(dialog: Window) -> tuple[int, int]:
    return dialog.bounds.x + 5, dialog.bounds.y + 5


async def test_an_open_resolver_does_not_delay_the_shutdown(desk: DeskOfTests) -> None:
    async with asking(desk) as (asker, _, _):
        await asker.evaluate(RAISE)
        await desk.screen.until("the resolver", lambda: desk.screen.find(TITLE))
        # The last test of the module: the desk is stopped with the question open.
        async with asyncio.timeout(30):
            await desk.platform.stop()
        await gone(desk)
