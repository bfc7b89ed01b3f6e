"""One user with a browser and a desktop: layouts of workspaces go from each to the other, through the manager."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from playwright.async_api import Browser

from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.start import child_environment
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.sources.load import Start
from rostrum.stores.layouts.store import LayoutKey
from tests.chromium import expect
from tests.end_to_end.platform_ui.conftest import USER, Desk, Firm, at_desk
from tests.end_to_end.platform_ui.test_workspaces import drag
from tests.ports import free_port
from tests.windows import processes
from tests.windows.conftest import connected_screen, display, screen
from tests.windows.desk import engine_wanted, window_environment, write_desk
from tests.windows.display import Display
from tests.windows.prepared_windows import window_process
from tests.windows.screen import Screen

__all__ = ["connected_screen", "display", "screen"]

OWN = ("Launcher", "Rostrum menu")
"""The titles of windows of the platform itself."""


@asynccontextmanager
async def desktop(root: Path, display: Display, address: str) -> AsyncIterator[Platform]:
    """A desktop of the user with real windows; apps and layouts come from the manager."""
    write_desk(root, {}, {"appStores": [], "server": {"enabled": True, "url": address}}, "")
    host = window_process(child_environment(window_environment(display, root, free_port())))

    async def sign_in(_: str) -> Login | None:
        return Login(*USER)

    start = Start(root=root, variables={"PATH": os.environ["PATH"], "USER": "os user", "DISPLAY": display.name})
    platform = Platform(start, cast("WindowHost", host), sign_in, headless=False)
    with processes.none_left():
        await platform.start()
        try:
            await host.ready()
            yield platform
        finally:
            await platform.stop()


async def save_in_browser(desk: Desk, name: str) -> None:
    await desk.page.get_by_role("button", name="Layouts").click()
    form = desk.page.get_by_role("form", name="Save layout")
    await form.get_by_label("Name").fill(name)
    await form.get_by_role("button", name="Save").click()
    await desk.notice(f'Layout "{name}" was saved.')
    await desk.page.keyboard.press("Escape")


@pytest.mark.long
async def test_a_layout_that_is_saved_in_a_browser_opens_on_the_desktop_and_the_other_way_round(
    browser: Browser, firm: Firm, display: Display, screen: Screen, tmp_path: Path
) -> None:
    engine_wanted()
    definition = {"name": "workspaces", "type": "workspaces", "title": "Workspaces", "details": {}}
    definition["details"] = {"left": 40, "top": 40, "width": 1000, "height": 700}
    await firm.admin("POST", "/admin/apps", {"definition": definition, "public": True})
    async with at_desk(browser, firm) as desk:
        await desk.enter()
        await desk.launch("Blotter")
        await desk.launch("Chart")
        groups = desk.page.locator(".dv-groupview")
        await drag(desk, desk.tab("Chart"), groups.first, right=True)
        await expect(groups).to_have_count(2)
        await save_in_browser(desk, "Two apps")

        async with desktop(tmp_path / "desk", display, firm.running.base_url) as platform:
            # The administrator sees the user twice.
            found = await firm.admin("GET", "/admin/sessions?user=ann&active=true")
            products = sorted(str(session["product"]) for session in found["items"])
            assert len(products) == 2
            assert "browser" in products
            services = platform.services
            registry, workspaces = services.windows.registry, services.windows.workspaces
            await services.layouts.restore(LayoutKey("Workspace", "Two apps"))
            (workspace,) = workspaces.all
            blotter, chart = workspace.tree.windows()
            assert (blotter.app, chart.app) == ("blotter", "chart")
            await screen.until("the frame", lambda: screen.find("Workspaces"))

            def side_by_side() -> bool | None:
                left, right, frame = (registry.find(one) for one in (blotter.instance, chart.instance, workspace.frame))
                is_inside = left.bounds.left >= frame.bounds.left and right.bounds.right <= frame.bounds.right
                return (is_inside and left.bounds.right <= right.bounds.left and right.visible) or None

            await screen.until("both windows in the frame, as in the browser", side_by_side)
            assert [one.title for one in screen.windows() if one.title not in OWN] == ["Workspaces"]
            # A third app as a tab beside the chart, saved on the desktop.
            group = workspace.tree.parent_of(chart)
            assert group is not None
            await workspaces.add(group.id, {"type": "window", "appName": "news"})
            await services.workspace_layouts.save("Three apps", workspace)

        await desk.page.get_by_role("button", name="Layouts").click()
        await desk.page.get_by_role("button", name="Open Three apps").click()
        opened = desk.page.get_by_role("tab", name="Three apps", exact=True)
        await expect(opened).to_have_attribute("aria-selected", "true")
        shown = desk.page.locator(".dv-groupview:visible")
        await expect(shown).to_have_count(2)
        await expect(shown.first.locator(".dv-tab")).to_contain_text(["Blotter"])
        await expect(shown.nth(1).locator(".dv-tab")).to_contain_text(["Chart", "News"])
