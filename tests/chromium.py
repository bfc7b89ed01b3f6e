"""A real Chromium for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

from tools.chromium import find_chromium

_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking")


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Start the browser of this machine."""
    path = find_chromium()
    assert path, "tests with a browser need Chromium: `make chromium`, or CHROMIUM_PATH"
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        yield launched
        await launched.close()
