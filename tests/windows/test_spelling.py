"""The spell checker with a dictionary from the address of the settings."""

import asyncio
from pathlib import Path

import pytest

from rostrum.desktop.hosts.actions import RunScript
from rostrum.desktop.hosts.reports import Focused, LoadFinished
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.pages import Spelling
from tests.windows.dictionaries import dictionary
from tests.windows.display import Display
from tests.windows.real_host import real_host, site, window
from tests.windows.screen import Rectangle, Screen

ONE = Bounds(100, 120, 600, 400)
WORDS = ("hello", "help", "world", "window", "windows", "word")
STYLE = "position:fixed;left:0;top:0;width:500px;height:100px;font:40px monospace;border:0;outline:0;background:#fff"
PAGES: dict[str, str | bytes] = {
    "/": f"<title>Letter</title><body><textarea lang=en-US style='{STYLE}'></textarea>",
    "/dict/en-us-10-1.bdic": dictionary(WORDS),
}
FIELD = Rectangle(104, 154, 500, 100)
"""Where the text is on the screen."""
VALUE = RunScript(code="document.querySelector('textarea').value")


def is_marked(screen: Screen) -> bool:
    """Return whether a word has a red line."""
    data = screen.image(FIELD).data
    return any(red > 180 and green < 100 and blue < 100 for red, green, blue in zip(*[iter(data)] * 3, strict=True))


@pytest.mark.long
@pytest.mark.rule("R-2.15-15")
async def test_a_misspelled_word_is_marked_and_the_menu_corrects_it(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    with site(PAGES) as served:
        async with real_host(display, Engine(folder=str(tmp_path))) as running:
            host = running.host
            await host.set_spelling(Spelling(languages=("en-US",), dictionaries=f"{served.origin}/dict/"))
            stored = tmp_path / "dictionaries" / "en-US.bdic"
            await screen.until("the dictionary", stored.exists)
            menu = {"contextMenu": {"enabled": True}}
            await host.open_window(window("one", f"{served.origin}/", ONE, details=menu))
            await running.wait_for(LoadFinished)
            await running.wait_for(Focused, lambda one: one.focused)
            await running.until(
                lambda: host.act("one", RunScript(code="performance.getEntriesByName('first-paint').length")), bool
            )
            await host.act("one", RunScript(code="document.querySelector('textarea').focus()"))
            screen.type("helllo world ")
            await running.until(lambda: host.act("one", VALUE), lambda now: now == "helllo world ")
            await screen.until("the red line", lambda: is_marked(screen))
            await asyncio.to_thread(screen.click, FIELD.x + 60, FIELD.y + 25, 3)
            (menu_place,) = await screen.until("the menu", screen.menus)
            await asyncio.to_thread(screen.click, menu_place.x + 30, menu_place.y + 14)
            await running.until(lambda: host.act("one", VALUE), lambda now: now == "hello world ")
            await screen.until("no red line", lambda: not is_marked(screen))
