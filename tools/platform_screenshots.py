"""Makes the pictures of the browser platform in docs/images, of the demo that `rostrum up` starts.

python tools/platform_screenshots.py        (needs Chromium; `make screenshots` brings it)
"""

import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import Page, async_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.chromium import find_chromium

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
PERSON = "ada.birch"
CHANNEL = "Harbour Blue"


async def main() -> int:
    """Make every picture anew."""
    path = find_chromium()
    if path is None:
        print("no Chromium here: `make chromium`, or set CHROMIUM_PATH", file=sys.stderr)
        return 1
    with _demo() as (root, password):
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            for scheme in ("light", "dark"):
                context = await browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
                page = await context.new_page()
                await enter(page, root, password)
                await arrange(page)
                suffix = "" if scheme == "light" else "-dark"
                await _take(page, f"platform{suffix}")
                # An app has the focus, so keys go to its frame.
                await page.get_by_role("button", name="Apps").click()
                await page.get_by_role("option").first.wait_for()
                await _take(page, f"platform-apps{suffix}")
                await context.close()
            await browser.close()
    return 0


@contextmanager
def _demo() -> Iterator[tuple[str, str]]:
    """Run the demo; its address and the password of its users."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rostrum", "up", "--dir", folder, "--port", "0", "--no-simulation"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert process.stdout is not None
        try:
            said = ""
            while not ("listening on" in said and "password" in said):
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError(f"the demo has not started: {said}")
                said += line
            root = re.findall(r"listening on (\S+)/api", said)[0]
            yield root, re.findall(r"password\S*\s+(\S+)", said)[0]
        finally:
            process.terminate()
            process.wait(30)


async def enter(page: Page, root: str, password: str) -> None:
    """Sign in."""
    await page.goto(f"{root}/platform/")
    await page.get_by_label("User").fill(PERSON)
    await page.get_by_label("Password", exact=True).fill(password)
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("tablist", name="Workspaces").get_by_role("tab").first.wait_for()


async def arrange(page: Page) -> None:
    """Open three apps beside and below each other, two of them on a channel, and select an instrument."""
    for title, key in (("Market Watch", None), ("Price Chart", "ArrowRight"), ("Order Blotter", "ArrowDown")):
        await page.keyboard.press("Control+k")
        await page.get_by_role("combobox", name="Search apps").fill(title)
        await page.get_by_role("option").first.click()
        tab = page.locator(".dv-tab").filter(has_text=title)
        await tab.wait_for()
        if key:
            await tab.press(f"Control+Shift+{key}")
    for title in ("Market Watch", "Price Chart"):
        await page.get_by_role("button", name=f"Channel of {title}:").press("Enter")
        await page.get_by_role("menuitemradio", name=CHANNEL, exact=True).press("Enter")
    watch = page.frame_locator('iframe[title="Market Watch"]')
    await watch.get_by_role("row", name="HRBR").click()
    chart = page.frame_locator('iframe[title="Price Chart"]')
    await chart.get_by_text("Harbour Shipping").first.wait_for()


async def _take(page: Page, name: str) -> None:
    await page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running')")
    await page.wait_for_timeout(500)
    await page.screenshot(path=IMAGES / f"{name}.png")
    print(name)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
