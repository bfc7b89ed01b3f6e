"""The public FDC3 2.2 conformance suite with apps in windows of the desktop, on its own gateway and agent.

It runs only where ``FDC3_CONFORMANCE`` names the folder of the suite, as in ``tests/agents/test_conformance.py``. The
engine's debugging port, which is open in tests only, starts the cases and reads their results.
"""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.agents.conformance import CASES, FOLDER, Case, failures, suite_apps, write_record
from tests.windows.cdp import Page
from tests.windows.desk import DeskOfTests, engine_wanted, running_desk
from tests.windows.display import Display
from tests.windows.pages import served
from tests.windows.screen import Screen

PORT = 3001
"""Where the addresses of the suite's directory lead."""
COLOURS = ("red", "green", "blue", "yellow")
SETTINGS = {"channels": {"definitions": [{"name": one, "meta": {"color": one}} for one in COLOURS]}}
START = """(() => {
  const suites = document.querySelector("#testSuite");
  suites.value = [...suites.options].find((one) => one.label === "All").value;
  suites.dispatchEvent(new Event("change", { bubbles: true }));
  document.querySelector("#runButton").click();
})()"""
READ = """[...document.querySelectorAll("#mocha-report li.test")].map((test) => ({
  suite: test.parentElement.closest("li.suite")?.querySelector(":scope > h1")?.textContent ?? "",
  title: test.querySelector("h2")?.childNodes[0]?.textContent,
  state: ["pass", "fail"].find((state) => test.classList.contains(state)) ?? "other",
  error: test.querySelector("pre.error")?.textContent ?? null,
}))"""
# A case is listed as soon as it runs.
ENDED = f"""(() => {{
  const cases = {READ};
  return cases.length >= {CASES} && cases.every((one) => one.state !== "other");
}})()"""
_SECONDS = 900


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the standard library
        pass


@contextmanager
def suite_served(suite: Path) -> Iterator[None]:
    """Serve the apps of the suite, unless another run of it does already."""
    try:
        server = ThreadingHTTPServer(("127.0.0.1", PORT), partial(_Quiet, directory=suite / "site"))
    except OSError:
        yield
        return
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@asynccontextmanager
async def desk_with_suite(
    root: Path, suite: Path, display: Display, screen: Screen
) -> AsyncIterator[tuple[DeskOfTests, Page]]:
    """Run a desktop with the apps of the suite; give the page with the cases."""
    (root / "apps").mkdir()
    for record in suite_apps(suite):
        (root / "apps" / f"{record['appId']}.json").write_text(json.dumps(record))
    with served({}) as pages:
        async with running_desk(root, display, screen, pages, {}, SETTINGS) as desk:
            await desk.loaded("Conformance1")
            async with desk.cdp.page("/apps/app/") as page:
                await page.until("document.querySelector('#runButton') !== null && window.fdc3 !== undefined")
                await page.evaluate("window.fdc3.getInfo().then(() => true)")
                yield desk, page


async def run_cases(page: Page) -> list[Case]:
    """Run all cases in the page of the suite; return each with its outcome."""
    await page.evaluate(START)
    # Cases that have not ended by then are missing in the result or have another state.
    with suppress(TimeoutError):
        await page.until(ENDED, within=_SECONDS)
    cases: list[Case] = await page.evaluate(READ)
    return cases


if FOLDER is not None:
    SUITE = Path(FOLDER)

    @pytest.mark.timeout(_SECONDS + 120)
    async def test_all_automatic_cases_pass_with_apps_in_windows_of_the_desktop(
        display: Display, screen: Screen, tmp_path: Path
    ) -> None:
        engine_wanted()
        with suite_served(SUITE):
            async with desk_with_suite(tmp_path, SUITE, display, screen) as (_, page):
                cases = await run_cases(page)
        write_record("desktop", [cases])
        (tmp_path / "cases.json").write_text(json.dumps(cases, indent=1))

        assert failures(cases) == []
        assert len(cases) >= CASES
