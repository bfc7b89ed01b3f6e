"""Tabs on the screen with settings that test_tabs.py does not use."""

import pytest

from rostrum.stores.layouts.store import LayoutKey
from tests.windows.desk import DeskOfTests
from tests.windows.test_tabs import APPS, BLUE, GREEN, PAGES, RED, cross, only, selected, shown, tab, tabbed

__all__ = ["APPS"]

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS = {
    "windowManagement": {
        "snapping": {"enabled": False},
        "group": {
            "header": {"defaultTitle": "Together"},
            "tabs": {"loadingStrategy": "lazy", "defaultTaskbarTitle": "Alone"},
        },
    }
}


@pytest.mark.long
@pytest.mark.setting(
    "windowManagement.group.tabs.defaultTaskbarTitle",
    "windowManagement.group.tabs.loadingStrategy",
    "windowManagement.group.header.defaultTitle",
    "windowManagement.group.tabs.flatWhenSingle",
)
@pytest.mark.rule("R-2.16-4", "R-2.16-5")
async def test_tabs_are_loaded_when_selected_and_the_taskbar_shows_group_titles(desk: DeskOfTests) -> None:
    _, window = await tabbed(desk, "one", "two", "three")
    await desk.now(window, "the title of the group", lambda now: now.title == "Together")
    layouts = desk.platform.services.layouts
    await layouts.save("Morning")
    await desk.close_all()
    desk.pages.requests.clear()

    assert await layouts.restore(LayoutKey("Global", "Morning")) == ()
    window = await only(desk)
    await selected(desk, window, 2)
    await shown(desk, window, BLUE, "Together")
    assert [each for each in desk.pages.requests if each in PAGES] == ["/three"]
    desk.screen.click(*tab(window, 0))
    await shown(desk, window, RED)
    assert [each for each in desk.pages.requests if each in PAGES] == ["/three", "/one"]
    # Without selectPreviousOnClose, the neighbour follows a closed tab.
    one = next(each for each in desk.platform.services.instances.all if each.app == "one")
    desk.screen.click(*cross(window, 0))
    await desk.report("WindowClosed", one.id)
    await selected(desk, window, 0)
    await shown(desk, window, GREEN)
    desk.screen.click(*cross(window, 0))
    await desk.now(window, "the title of a single tab", lambda now: now.title == "Alone")
    # A single tab is still drawn as one.
    await selected(desk, window, 0)
