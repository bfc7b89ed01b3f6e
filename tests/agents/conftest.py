"""What the tests with a browser share: the gateway, the pages and the window of apps with client libraries."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.agents.web_clients import Place, client_place


@pytest_asyncio.fixture(loop_scope="session")
async def launched(browser: Browser) -> AsyncIterator[Browser]:
    """The browser, without any window and cookie that the test has left."""
    before = list(browser.contexts)
    yield browser
    for context in browser.contexts:
        if context not in before:
            await context.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def place(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    """One gateway and one window for the main pages of all tests; each test has a user of its own."""
    async with client_place(browser, tmp_path_factory.mktemp("clients")) as made:
        yield made
