"""Workspaces in a browser: apps in frames that never load again, layouts that the manager stores."""

import pytest
from playwright.async_api import Browser, Locator

from tests.chromium import expect
from tests.end_to_end.platform_ui.conftest import FRAMED, Desk, Firm, at_desk


async def drag(desk: Desk, source: Locator, target: Locator, *, right: bool) -> None:
    """Drag a tab to the right edge or the middle of a group."""
    box = await target.bounding_box()
    assert box is not None
    x = box["x"] + box["width"] * (0.95 if right else 0.5)
    y = box["y"] + box["height"] * 0.6
    await source.hover()
    await desk.page.mouse.down()
    await desk.page.mouse.move(x - 8, y, steps=4)
    await desk.page.mouse.move(x, y, steps=2)
    await desk.page.mouse.up()


async def arrange_with_keyboard(desk: Desk) -> None:
    """Move apps that are in two groups; all are in view at the end."""
    groups = desk.page.locator(".dv-groupview")
    # At the end of the workspace, an arrow splits the group; towards another group, it moves the app there.
    for title, key, first, last in (
        ("Chart", "ArrowLeft", 2, 1),
        ("News", "ArrowLeft", 3, 3),
        ("News", "ArrowRight", 2, 1),
        ("Chart", "ArrowRight", 1, 2),
        ("Chart", "ArrowLeft", 2, 1),
        ("Chart", "ArrowDown", 1, 1),
    ):
        await desk.tab(title).press(f"Control+Shift+{key}")
        await expect(desk.tab(title)).to_be_focused()
        await expect(groups.first.locator(".dv-tab")).to_have_count(first)
        await expect(groups.last.locator(".dv-tab")).to_have_count(last)
    await expect(groups).to_have_count(3)
    # An app that is alone at the end of the workspace stays.
    await desk.tab("News").press("Control+Shift+ArrowRight")
    await expect(groups).to_have_count(3)

    await desk.page.get_by_role("button", name="Maximize this group").last.press("Enter")
    await desk.page.get_by_role("button", name="Restore this group").press("Enter")
    await desk.page.get_by_role("button", name="Float this group").last.press("Enter")
    await desk.page.get_by_role("button", name="Dock this group").press("Enter")
    await expect(desk.page.get_by_role("button", name="Dock this group")).to_have_count(0)


async def use_bar_with_keyboard(desk: Desk) -> None:
    """Reach everything in the bar with the Tab key; close the workspace, and undo it."""
    await desk.page.get_by_role("button", name="Apps").focus()
    await desk.page.keyboard.press("Tab")
    await expect(desk.page.get_by_role("tab", name="Workspace 1", exact=True)).to_be_focused()
    for name in ("New workspace", "Close this workspace", "Layouts", "Notifications"):
        await desk.page.keyboard.press("Tab")
        await expect(desk.page.get_by_role("button", name=name, exact=True)).to_be_focused()

    # A workspace that was closed by mistake comes back with its apps.
    await desk.page.get_by_role("button", name="Close this workspace").press("Enter")
    await expect(desk.page.locator("iframe")).to_have_count(0)
    closed = desk.page.locator(".mantine-Notification-root").filter(has_text='Workspace "Workspace 1" was closed.')
    await closed.get_by_role("button", name="Undo").click()
    await expect(desk.page.locator("iframe")).to_have_count(3)
    await expect(desk.page.locator(".dv-groupview")).to_have_count(3)


@pytest.mark.long
async def test_a_user_arranges_apps_and_no_frame_loads_again(browser: Browser, firm: Firm) -> None:
    async with at_desk(browser, firm) as desk:
        await desk.page.goto(f"{desk.root}/platform/")
        await expect(desk.page.get_by_role("form", name="Sign in")).to_be_visible()
        assert await desk.violations() == []
        await desk.sign_in()
        assert await desk.violations() == []
        for title in FRAMED:
            await desk.launch(title)
            note = (await desk.frame(title)).get_by_label("Note")
            await note.fill(f"typed into {title}")
        # The second load found out whether the page can be shown.
        await expect(desk.page.locator("object")).to_have_count(0)
        loads = {f"/{title.lower()}": 2 for title in FRAMED}
        assert firm.site.loads == loads

        async def check(step: str) -> None:
            for title in FRAMED:
                note = (await desk.frame(title)).get_by_label("Note")
                assert await note.input_value() == f"typed into {title}", step
            assert firm.site.loads == loads, step

        groups = desk.page.locator(".dv-groupview")
        await desk.tab("Blotter").click()
        await desk.tab("News").click()
        await check("tabs switched")
        await drag(desk, desk.tab("News"), groups.first, right=True)
        await expect(groups).to_have_count(2)
        await check("split off")
        await drag(desk, desk.tab("Chart"), groups.nth(1), right=False)
        await expect(groups.nth(1).locator(".dv-tab")).to_have_count(2)
        await check("moved into the other group")
        await desk.page.get_by_role("button", name="Maximize this group").first.click()
        await expect(desk.page.get_by_role("button", name="Restore this group")).to_be_visible()
        await check("maximized")
        await desk.page.get_by_role("button", name="Restore this group").click()
        await desk.page.get_by_role("button", name="Float this group").last.click()
        await expect(desk.page.get_by_role("button", name="Dock this group")).to_be_visible()
        await check("floated")
        assert await desk.violations() == []
        await desk.page.get_by_role("button", name="New workspace").click()
        await expect(desk.page.get_by_role("tab", name="Workspace 2")).to_have_attribute("aria-selected", "true")
        await check("another workspace in front")
        await desk.page.get_by_role("tab", name="Workspace 1").click()
        await check("back in front")

        await desk.page.get_by_role("button", name="Dock this group").click()
        await expect(desk.page.get_by_role("button", name="Dock this group")).to_have_count(0)
        await check("docked")

        # A change of the size of one group, of the order of tabs, and of what else is open.
        widths = await groups.first.evaluate("group => group.clientWidth")
        line = await desk.page.locator(".dv-sash").first.bounding_box()
        assert line is not None
        await desk.page.mouse.move(line["x"] + line["width"] / 2, line["y"] + 200)
        await desk.page.mouse.down()
        await desk.page.mouse.move(line["x"] - 120, line["y"] + 200, steps=3)
        await desk.page.mouse.up()
        assert await groups.first.evaluate("group => group.clientWidth") < widths
        await check("resized")
        await desk.launch("Chart")
        await expect(desk.tab("Chart")).to_have_count(2)
        await desk.tab("Chart").last.locator(".tab-close").click()
        await expect(desk.tab("Chart")).to_have_count(1)
        loads["/chart"] += 1
        await check("another app opened and closed")

        await arrange_with_keyboard(desk)
        await check("moved with the keyboard")
        await use_bar_with_keyboard(desk)

        # A reload brings back what was open in this tab of the browser.
        await desk.page.reload()
        await desk.ready()
        await expect(desk.page.get_by_role("tab", name="Workspace 2")).to_be_visible()
        await expect(desk.page.locator("iframe")).to_have_count(3)
