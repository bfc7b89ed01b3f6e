"""Workspaces in a browser: apps in frames that never load again, layouts that the manager stores."""

from playwright.async_api import Browser, Locator, expect

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


async def test_a_user_arranges_apps_and_no_frame_loads_again(browser: Browser, firm: Firm) -> None:
    async with at_desk(browser, firm) as desk:
        await desk.page.goto(f"{desk.root}/platform/")
        await expect(desk.page.get_by_role("form", name="Sign in")).to_be_visible()
        assert await desk.violations() == []
        await desk.enter()
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

        await desk.page.get_by_role("button", name="Layouts").click()
        assert await desk.violations() == []
        form = desk.page.get_by_role("form", name="Save layout")
        await form.get_by_label("Name").fill("Morning")
        await form.get_by_role("button", name="Save").click()
        await desk.notice('Layout "Morning" was saved.')
        await desk.page.get_by_role("button", name="Make Morning the default").click()
        await desk.notice('"Morning" opens when you start.')
        await desk.page.keyboard.press("Escape")
        await desk.page.get_by_role("button", name="Dock this group").click()
        await expect(desk.page.get_by_role("button", name="Dock this group")).to_have_count(0)
        await check("docked")

        await desk.launch("Chart")
        await expect(desk.tab("Chart")).to_have_count(2)
        await desk.tab("Chart").last.locator(".tab-close").click()
        await expect(desk.tab("Chart")).to_have_count(1)

        # A reload brings back what was open in this tab of the browser.
        await desk.page.reload()
        await desk.ready()
        await expect(desk.page.get_by_role("tab", name="Workspace 2")).to_be_visible()
        await expect(desk.page.locator("iframe")).to_have_count(3)

    (layout,) = [each for each in (await firm.admin("GET", "/admin/layouts"))["items"] if each["name"] == "Morning"]
    assert (layout["type"], layout["owner"]) == ("Workspace", "ann")
    # Another browser starts with the layout that the user chose, floating group included.
    async with at_desk(browser, firm) as other:
        await other.enter()
        await expect(other.page.get_by_role("tab", name="Morning")).to_be_visible()
        await expect(other.page.get_by_role("button", name="Dock this group")).to_be_visible()
        for title in FRAMED:
            await other.frame(title)
