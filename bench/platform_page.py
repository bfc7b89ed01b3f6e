"""What the browser platform costs a browser: the first load, and the longest stop while 1,000 apps scroll."""

import asyncio

from playwright.async_api import async_playwright

from bench.admin_ui import FIGURES, SIZE, Figures, opened, scrolled
from bench.firm import ADMIN, firm, served
from tools.chromium import find_chromium

APPS = 1_000


def report() -> str:
    with firm(users=10, apps=APPS) as config, served(config) as server:
        ours = asyncio.run(_measure(server.address.removesuffix("/api")))
    return (
        "## Browser platform\n\n"
        f"Chromium loads the page of a user with {APPS:,} apps with an empty cache, and scrolls the list of apps by "
        "400 pixels for each frame. Tasks are read from Chromium's tracing, as for the admin UI.\n\n"
        "| figure | browser platform |\n|---|---|\n"
        f"| first contentful paint | {ours['fcp']:.0f} ms |\n"
        f"| workspace visible | {ours['ready']:.0f} ms |\n"
        f"| scripts transferred until then | {ours['scripts'] / 1024:.0f} KiB (limit: 350) |\n"
        f"| longest task while scrolling | {ours['wall']:.0f} ms |\n"
        f"| most processor time of a task while scrolling | {ours['work']:.0f} ms (limit: 50) |\n"
    )


async def _measure(root: str) -> Figures:
    path = find_chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = await (await browser.new_context(viewport=SIZE)).new_page()
        await page.goto(f"{root}/platform/")
        await page.get_by_label("User").fill(ADMIN[0])
        await page.get_by_label("Password", exact=True).fill(ADMIN[1])
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_role("tab").first.wait_for()
        state = await page.context.storage_state()
        fresh = await opened(browser, f"{root}/platform/", "[role=tab]", state)
        figures: Figures = await fresh.evaluate(FIGURES)
        await fresh.keyboard.press("Control+k")
        await fresh.get_by_role("option").first.wait_for()
        figures |= await scrolled(browser, fresh, "#launcher-apps")
        await browser.close()
    return figures
