"""A real Chromium for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

from tools.chromium import find_chromium

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    # Names that browsers take for other machines: they trust loopback more.
    "--host-resolver-rules=MAP *.test 127.0.0.1",
)
BLOCKS_OTHER_SITES = (
    "--test-third-party-cookie-phaseout",
    # Replaces Playwright's list, which turns off what the other argument needs.
    "--disable-features=HttpsUpgrades,Translate",
)
"""Arguments of a browser that blocks third-party cookies."""


@asynccontextmanager
async def chromium(*more: str) -> AsyncIterator[Browser]:
    """Start the browser of this machine."""
    path = find_chromium()
    assert path, "tests with a browser need Chromium: `make chromium`, or CHROMIUM_PATH"
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, args=[*_ARGUMENTS, *more])
        yield launched
        await launched.close()
