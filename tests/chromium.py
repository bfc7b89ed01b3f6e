"""A real Chromium for tests."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast, overload

import pytest
from playwright.async_api import Browser, Frame, Locator, Page, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeoutError
from playwright.async_api import expect as expect_of_playwright
from playwright.async_api._generated import LocatorAssertions, PageAssertions

from tools.chromium import find_chromium

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    # Names that browsers take for other machines: they trust loopback more.
    "--host-resolver-rules=MAP *.test 127.0.0.1",
)


@asynccontextmanager
async def chromium(*more: str) -> AsyncIterator[Browser]:
    """Start the browser of this machine, with further arguments."""
    path = find_chromium()
    assert path, "tests with a browser need Chromium: `make chromium`, or CHROMIUM_PATH"
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, args=[*_ARGUMENTS, *more])
        yield launched
        await launched.close()


@asynccontextmanager
async def strict_chromium(browser: Browser) -> AsyncIterator[Browser]:
    """Start a Chromium that blocks third-party cookies, beside a running one: they share a driver."""
    launched = await browser.browser_type.launch(
        executable_path=find_chromium(),
        args=[
            *_ARGUMENTS,
            "--test-third-party-cookie-phaseout",
            # Replaces Playwright's list, which turns off what the other argument needs.
            "--disable-features=HttpsUpgrades,Translate",
        ],
    )
    yield launched
    await launched.close()


@asynccontextmanager
async def chromium_with_blocker(browser: Browser) -> AsyncIterator[Browser]:
    """Start a Chromium that blocks windows which no click asked for, beside a running one.

    The light Chromium without a user interface has no blocker, and Playwright turns off that of the complete one.
    """
    path = find_chromium(with_windows=True)
    if path is None:
        pytest.skip("the pop-up blocker needs the complete Chromium: `make test` installs it where it can")
    launched = await browser.browser_type.launch(
        executable_path=path, args=[*_ARGUMENTS], ignore_default_args=["--disable-popup-blocking"]
    )
    yield launched
    await launched.close()


async def until(page: Frame | Page, condition: str, argument: object = None) -> None:
    """Wait until an expression in a page is true.

    The expression may be a promise. `wait_for_function` takes every promise for true, whatever it becomes.
    """
    async with asyncio.timeout(30):
        await page.evaluate(
            f"async argument => {{ while (!(await ({condition}))) await new Promise(next => setTimeout(next, 50)); }}",
            argument,
        )


@overload
def expect(actual: Locator) -> LocatorAssertions: ...
@overload
def expect(actual: Page) -> PageAssertions: ...
def expect(actual: Locator | Page) -> LocatorAssertions | PageAssertions:
    """Expect something of an element or a page, as Playwright does, but wait for it with less work.

    While Playwright's `expect` waits, it describes all elements of the page again and again, for the message of a
    failure: this takes a tenth of a second each time. The assertions below avoid it. A list of one text means: there
    is exactly one element, and it has this text; lists are not described.
    """
    if isinstance(actual, Page):
        return cast("PageAssertions", _PageExpectation(actual))
    return cast("LocatorAssertions", _LocatorExpectation(actual))


class _PageExpectation:
    def __init__(self, page: Page) -> None:
        self._page = page
        self._assertions = expect_of_playwright(page)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._assertions, name)

    async def to_have_url(self, expected: str | re.Pattern[str], **options: float) -> None:
        def is_expected(url: str) -> bool:
            return url == expected if isinstance(expected, str) else expected.search(url) is not None

        try:
            await self._page.wait_for_url(is_expected, wait_until="commit", timeout=options.get("timeout"))
        except PlaywrightTimeoutError:
            await self._assertions.to_have_url(expected, timeout=1)


class _LocatorExpectation:
    def __init__(self, locator: Locator) -> None:
        self._locator = locator
        self._assertions = expect_of_playwright(locator)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._assertions, name)

    async def to_be_visible(self, **options: float) -> None:
        try:
            await self._locator.wait_for(timeout=options.get("timeout"))
        except PlaywrightTimeoutError:
            await self._assertions.to_be_visible(timeout=1)

    async def to_have_text(self, expected: Any, **options: Any) -> None:
        await self._assertions.to_have_text([expected] if isinstance(expected, str) else expected, **options)

    async def to_contain_text(self, expected: Any, **options: Any) -> None:
        if isinstance(expected, str):
            part = re.compile(r"\s+".join(re.escape(word) for word in expected.split()))
            await self._assertions.to_have_text([part], **options)
        else:
            await self._assertions.to_contain_text(expected, **options)
