"""What the admin UI costs a browser: the figures of the first load, and the longest stop while 10,000 apps scroll.

The bare page beside it has the same table of 10,000 rows, drawn completely by the browser without any script.
"""

import asyncio
import json
import statistics

from playwright.async_api import Browser, Page, StorageState, ViewportSize, async_playwright

from bench.firm import ADMIN, firm, served
from tools.chromium import find_chromium

APPS = 10_000
ROUNDS = 5
QUIET_MS = 1000
"""After the main content is visible: what is painted or moved later still counts."""
SIZE: ViewportSize = {"width": 1280, "height": 800}
ROWS = "".join(f"<tr><td>app {number}</td><td>window</td><td>public</td></tr>" for number in range(APPS))
BARE = f"<!doctype html><h1>Bare</h1><div id=area style='height:600px;overflow:auto'><table>{ROWS}</table></div>"
SCROLL = """async area => {
  for (let step = 0; step < 120; step++) {
    area.scrollTop += 400;
    await new Promise(requestAnimationFrame);
  }
}"""
# Before anything of the page runs: what was painted largest, what moved, and what kept the page from answering.
WATCH = """
  window.seen = {lcp: 0, cls: 0, long: []};
  const watch = (type, take) => new PerformanceObserver(list => list.getEntries().forEach(take))
    .observe({type, buffered: true});
  watch('largest-contentful-paint', entry => { seen.lcp = entry.startTime; });
  watch('layout-shift', entry => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  watch('longtask', entry => seen.long.push({at: entry.startTime, stop: entry.duration}));
"""
FIGURES = """() => {
  const fcp = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const sum = kept => kept.reduce((bytes, file) => bytes + file.encodedBodySize, 0);
  return {fcp, lcp: seen.lcp, cls: seen.cls, ready: seen.ready, bytes: sum(files),
    tbt: seen.long.filter(task => task.at > fcp).reduce((all, task) => all + task.stop - 50, 0),
    scripts: sum(files.filter(file => file.name.endsWith('.js')))};
}"""
CATEGORIES = ["toplevel", "devtools.timeline"]

Figures = dict[str, float]


def report() -> str:
    with firm(users=10, apps=APPS) as config, served(config) as server:
        bare, ours = asyncio.run(_measure(server.address.removesuffix("/api")))
    return (
        "## Admin UI\n\n"
        f"Chromium loads a list of {APPS:,} apps with an empty cache. The bare page shows the same rows in a plain "
        f"table. The figures are medians of {ROUNDS} rounds; both pages are loaded in turn. The "
        "tasks of the main thread during scrolling, 400 pixels for each frame, are read from Chromium's tracing: the "
        "longest task in elapsed time, and the most processor time of a task, which excludes the time that it waited "
        "for other processes.\n\n"
        "| figure | bare page | admin UI |\n|---|---|---|\n"
        f"| first contentful paint | {bare['fcp']:.0f} ms | {ours['fcp']:.0f} ms "
        f"(**{ours['fcp'] / bare['fcp']:.1f} ×**, goal: ≤ 1.5 ×) |\n"
        f"| largest contentful paint | {bare['lcp']:.0f} ms | {ours['lcp']:.0f} ms |\n"
        f"| total blocking time | {bare['tbt']:.0f} ms | {ours['tbt']:.0f} ms |\n"
        f"| cumulative layout shift | {bare['cls']:.3f} | {ours['cls']:.3f} |\n"
        f"| list visible | {bare['ready']:.0f} ms | {ours['ready']:.0f} ms |\n"
        f"| data transferred until then | {bare['bytes'] / 1024:.0f} KiB | {ours['bytes'] / 1024:.0f} KiB |\n"
        f"| scripts transferred until then | 0 KiB | {ours['scripts'] / 1024:.0f} KiB (limit: 350) |\n"
        f"| longest task while scrolling | {bare['wall']:.0f} ms | {ours['wall']:.0f} ms |\n"
        f"| most processor time of a task while scrolling | {bare['work']:.0f} ms | {ours['work']:.0f} ms (limit: 50) "
        "|\n"
    )


async def _measure(root: str) -> tuple[Figures, Figures]:
    chromium = find_chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = await (await browser.new_context(viewport=SIZE)).new_page()
        await page.goto(f"{root}/admin/")
        await page.get_by_label("User").fill(ADMIN[0])
        await page.get_by_label("Password", exact=True).fill(ADMIN[1])
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_role("button", name="Sign out").wait_for()
        state = await page.context.storage_state()
        pages = (
            ("/bare", "tbody td", None, "#area"),
            ("/admin/apps", "tbody a", state, "section[aria-label=Applications]"),
        )
        loads: tuple[list[Figures], list[Figures]] = ([], [])
        for _ in range(ROUNDS):
            for (path, sign, cookies, _area), figures in zip(pages, loads, strict=True):
                fresh = await opened(browser, f"{root}{path}", sign, cookies)
                figures.append(await fresh.evaluate(FIGURES))
                await fresh.context.close()
        bare, ours = ({name: statistics.median(each[name] for each in side) for name in side[0]} for side in loads)
        for (path, sign, cookies, area), side in zip(pages, (bare, ours), strict=True):
            side.update(await scrolled(browser, await opened(browser, f"{root}{path}", sign, cookies), area))
        await browser.close()
    return bare, ours


async def opened(browser: Browser, address: str, sign: str, state: StorageState | None) -> Page:
    """Open a page from an empty cache, and record when its main content is visible."""
    context = await browser.new_context(viewport=SIZE, storage_state=state)
    page = await context.new_page()
    await page.add_init_script(WATCH)
    await page.route("**/bare", lambda route: route.fulfill(body=BARE, content_type="text/html"))
    await page.goto(address)
    await page.locator(sign).first.wait_for()
    await page.evaluate("seen.ready = performance.now()")
    # The page never stops using the network: it listens for changes.
    await page.wait_for_timeout(QUIET_MS)
    return page


async def scrolled(browser: Browser, page: Page, area: str) -> Figures:
    """Scroll, and find the longest task of the page's main thread and the one with the most work, in milliseconds.

    Medians of several times: the first one also compiles scripts, and garbage of earlier pages may be collected.
    """
    found = [await _scrolled_once(browser, page, area) for _ in range(ROUNDS)]
    return {name: statistics.median(each[name] for each in found) for name in found[0]}


async def _scrolled_once(browser: Browser, page: Page, area: str) -> Figures:
    await page.locator(area).evaluate("area => { area.scrollTop = 0; }")
    await page.wait_for_timeout(QUIET_MS)
    await browser.start_tracing(page=page, categories=CATEGORIES)
    await page.locator(area).evaluate(SCROLL)
    await page.wait_for_timeout(500)
    events = json.loads(await browser.stop_tracing())["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    tasks = [
        event for event in events if event.get("name", "").endswith("RunTask") and (event["pid"], event["tid"]) in main
    ]
    return {
        "wall": max(task.get("dur", 0) for task in tasks) / 1000,
        "work": max(task.get("tdur", 0) for task in tasks) / 1000,
    }
