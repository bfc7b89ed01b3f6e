"""Floods of a hostile page that reach the window process without the gateway, over two sites."""

from base64 import b64decode

import pytest

from rostrum.desktop.hosts.reports import IconChanged
from rostrum.desktop.windows.icon_limit import MOST
from tests.windows.desk import DeskOfTests
from tests.windows.pages import Pages, page
from tests.windows.test_hostile_pages import PLACE, START, start_on_other_site
from tests.windows.test_services import library

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long]

PAGES = {"/victim": page("Victim", START), "/library.js": library}
APPS = {"victim": {"url": "/victim", **PLACE, "left": 700}}
SETTINGS = {"appStores": [{"type": "path", "details": {"path": "apps"}}, {"type": "in-memory"}]}

ICONS = 30
ICON = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg=="
)


MANY = """for (let number = 1; number <= COUNT; number += 1) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "icon", href: `/icon-${number}.png` }));
}"""


async def test_a_page_with_many_icons_loads_some_of_them_and_shows_the_last_one(desk: DeskOfTests, evil: Pages) -> None:
    evil.answers |= {
        f"/icon-{number}.png": (200, {"Content-Type": "image/png"}, ICON) for number in range(1, ICONS + 1)
    }
    instance = await start_on_other_site(desk, evil)
    registry = desk.platform.services.windows.registry
    last = f"{evil.address}/icon-{ICONS}.png"
    async with desk.cdp.page("/evil") as inside:
        desk.reported.clear()
        await inside.evaluate(f"void (() => {{ {MANY.replace('COUNT', str(ICONS))} }})()")
        await desk.screen.until("the last icon", lambda: registry.find(instance).icon.rstrip("#") == last or None)
    assert len([one for one in desk.reported if isinstance(one, IconChanged)]) < MOST
    # Once when they are named, and once when the last one is loaded; without a limit, the page loads all of them.
    assert len([one for one in evil.requests if one.startswith("/icon-")]) <= 2 * MOST


async def test_a_page_with_very_many_icons_does_not_prevent_those_of_others(desk: DeskOfTests, evil: Pages) -> None:
    evil.answers |= {f"/icon-{number}.png": (200, {"Content-Type": "image/png"}, ICON) for number in range(1, 501)}
    desk.pages.answers["/own.png"] = 200, {"Content-Type": "image/png"}, ICON
    victim, _ = await desk.loaded("victim")
    await start_on_other_site(desk, evil)
    registry = desk.platform.services.windows.registry
    async with desk.cdp.page("/evil") as inside, desk.cdp.page("/victim") as other:
        await inside.evaluate(f"void (() => {{ {MANY.replace('COUNT', '500')} }})()")
        link = "Object.assign(document.createElement('link'), { rel: 'icon', href: '/own.png' })"
        await other.evaluate(f"void document.head.append({link})")
        own = f"{desk.pages.address}/own.png"
        await desk.screen.until("the icon of the other page", lambda: registry.find(victim).icon == own or None)
        assert await inside.evaluate("document.querySelectorAll('link[rel=icon]').length") == 500
