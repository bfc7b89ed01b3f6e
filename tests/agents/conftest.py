"""One Chromium for all tests of a process: starting it takes longer than most of these tests."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.chromium import chromium


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests with a browser on one loop: the browser lives on it."""
    for item in items:
        if item.nodeid.startswith("tests/agents/") and "launched" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def launched_once() -> AsyncIterator[Browser]:
    async with chromium("--disable-popup-blocking") as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def launched(launched_once: Browser) -> AsyncIterator[Browser]:
    """The browser, without any window and cookie of another test."""
    yield launched_once
    for context in launched_once.contexts:
        await context.close()
