"""A real Chromium for tests."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking")


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Start the browser of this machine."""
    path = os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, _NAMES)), None)
    assert path, "tests with a browser need Chromium: `make chromium`, or CHROMIUM_PATH"
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        yield launched
        await launched.close()
