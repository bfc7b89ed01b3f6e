"""What the admin UI costs a browser: bytes of the first load, and the longest stop while 10,000 apps scroll.

The bare page beside it has the same table of 10,000 rows, drawn whole by the browser without any script.
"""

import asyncio
import os
import shutil
from typing import Any

from playwright.async_api import Page, ViewportSize, async_playwright

from bench.firm import ADMIN, firm, served

APPS = 10_000
SIZE: ViewportSize = {"width": 1280, "height": 800}
ROWS = "".join(f"<tr><td>app {number}</td><td>window</td><td>public</td></tr>" for number in range(APPS))
BARE = f"<!doctype html><h1>Bare</h1><div id=area style='height:600px;overflow:auto'><table>{ROWS}</table></div>"
WATCH = """() => {
  window.longest = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
  }).observe({type: 'longtask'});
}"""
SCROLL = """async area => {
  for (let step = 0; step < 120; step++) {
    area.scrollTop += 400;
    await new Promise(requestAnimationFrame);
  }
}"""
PAINT = """() => {
  const [page] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return {paint: paint?.startTime ?? 0, ready: performance.now(), loaded: page.loadEventEnd,
    scripts: performance.getEntriesByType('resource').filter(r => r.name.endsWith('.js'))
      .reduce((sum, r) => sum + r.encodedBodySize, 0)};
}"""


def report() -> str:
    with firm(users=10, apps=APPS) as config, served(config) as server:
        found = asyncio.run(_measure(server.address.removesuffix("/api")))
    return (
        "## Admin UI\n\n"
        f"Chromium, a list of {APPS:,} apps. The bare page has the same rows as a plain table.\n\n"
        "| what | bare page | admin UI |\n|---|---|---|\n"
        f"| first contentful paint | {found['bare_paint']:.0f} ms | {found['paint']:.0f} ms |\n"
        f"| list in sight, from an empty cache | {found['bare_ready']:.0f} ms | {found['ready']:.0f} ms |\n"
        f"| scripts over the wire until then | 0 KiB | {found['scripts'] / 1024:.0f} KiB (most allowed: 350) |\n"
        f"| longest stop of the main thread while scrolling | {_stop(found['bare_longest'])} | "
        f"{_stop(found['longest'])} |\n"
    )


def _stop(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds else "below 50 ms"


async def _measure(root: str) -> dict[str, Any]:
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, names)), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = await (await browser.new_context(viewport=SIZE)).new_page()
        await page.goto(f"{root}/admin/")
        await page.get_by_label("User").fill(ADMIN[0])
        await page.get_by_label("Password", exact=True).fill(ADMIN[1])
        await page.get_by_role("button", name="Log in").click()
        await page.get_by_role("button", name="Log out").wait_for()
        state = await page.context.storage_state()
        fresh = await (await browser.new_context(viewport=SIZE, storage_state=state)).new_page()
        await fresh.goto(f"{root}/admin/apps")
        await fresh.locator("tbody a").first.wait_for()
        ours = await fresh.evaluate(PAINT)
        ours["longest"] = await _scrolled(fresh, "section[aria-label=Applications]")
        plain = await (await browser.new_context(viewport=SIZE)).new_page()
        await plain.route("**/bare", lambda route: route.fulfill(body=BARE, content_type="text/html"))
        await plain.goto(f"{root}/bare")
        bare = await plain.evaluate(PAINT)
        bare["longest"] = await _scrolled(plain, "#area")
        await browser.close()
    return {**ours, **{f"bare_{name}": value for name, value in bare.items()}}


async def _scrolled(page: Page, area: str) -> float:
    await page.evaluate(WATCH)
    await page.locator(area).evaluate(SCROLL)
    await page.wait_for_timeout(500)
    return float(await page.evaluate("window.longest"))
