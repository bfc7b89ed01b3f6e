"""The demo in a browser, as a user has it: sign in, two apps on a channel, an intent, and the saved layout."""

import asyncio
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Frame

from tests.chromium import expect
from tests.end_to_end.demo_folder import copy_demo
from tests.end_to_end.platform_ui.conftest import Desk
from tests.end_to_end.platform_ui.interop import select_channel
from tests.end_to_end.processes import serving
from tests.plain_http import NO_TLS

PERSON = "ada.birch"


async def app_in(desk: Desk, title: str, *, at: int = 0) -> Frame:
    handle = await desk.page.locator(f'iframe[title="{title}"]').nth(at).element_handle()
    frame = await handle.content_frame()
    assert frame is not None
    return frame


@pytest.mark.long
async def test_a_user_connects_demo_apps_by_a_channel_and_an_intent(browser: Browser, tmp_path: Path) -> None:
    demo = await asyncio.to_thread(copy_demo, tmp_path / "demo")
    with serving("up", "--dir", str(demo), "--port", "0", "--no-simulation") as server:
        address = await asyncio.to_thread(lambda: server.address)
        password = server.line_with("password").split()[1]
        root = address.removesuffix("/api")
        context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        desk = Desk(await context.new_page(), root)
        await desk.page.goto(f"{root}/platform/")
        await desk.fill_log_in(PERSON, password)
        await desk.ready()

        await desk.launch("Market Watch")
        await select_channel(desk, "Market Watch", "Harbour Blue")
        watch = await app_in(desk, "Market Watch")
        # An app raises an intent: the other one opens beside it, and gets the context.
        await watch.get_by_role("row", name="HRBR").click()
        await watch.get_by_role("button", name="Show chart").click()
        chart = await app_in(desk, "Price Chart")
        await expect(chart.locator("#name")).to_have_text("Harbour Shipping")
        await expect(desk.page.locator(".dv-groupview")).to_have_count(2)

        # On the same channel, the chart follows the watch.
        await select_channel(desk, "Price Chart", "Harbour Blue")
        await expect(chart.locator("#channel")).to_have_text("Harbour Blue")
        await watch.get_by_role("row", name="TIDE").click()
        await expect(chart.locator("#name")).to_have_text("Tidewater Rail")
        assert await desk.violations() == []

        # With two charts, the user chooses which one shows the intent.
        await desk.launch("Price Chart")
        await expect(desk.tab("Price Chart")).to_have_count(2)
        # The script of the second chart has ended, so it handles the intent.
        await (await app_in(desk, "Price Chart", at=1)).evaluate("() => import('/chart/chart.js').then(() => true)")
        await watch.get_by_role("button", name="Show chart").click()
        dialog = desk.page.get_by_role("dialog", name='Choose an app for "Show chart"')
        await expect(dialog.get_by_role("button", name="Price Chart Workspace 1, channel Harbour Blue")).to_be_visible()
        assert await desk.violations() == []
        await desk.page.keyboard.press("Escape")
        await expect(watch.locator("#message")).to_have_text("Cancelled.")

        await desk.page.get_by_role("button", name="Layouts").click()
        form = desk.page.get_by_role("form", name="Save layout")
        await form.get_by_label("Name").fill("Harbour desk")
        await form.get_by_role("button", name="Save").click()
        await desk.notice('Layout "Harbour desk" was saved.')
        async with httpx.AsyncClient(auth=("admin", password), verify=NO_TLS) as admin:
            sessions = (await admin.get(f"{address}/admin/sessions?product=browser&active=true")).json()["items"]
        assert PERSON in [session["user"] for session in sessions]
        await context.close()
        server.stop()
