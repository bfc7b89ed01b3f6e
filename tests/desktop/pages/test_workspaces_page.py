"""The page of workspaces in Chromium: axe finds no violations, in light and dark colours."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.desktop.pages.conftest import BRIDGE, PAGES, TYPES, violations

CHOICES = {"apps": [{"name": "chart", "title": "Chart"}], "layouts": ["Morning"]}


@asynccontextmanager
async def workspaces_page(browser: Browser, drawing: dict[str, Any]) -> AsyncIterator[tuple[Page, list[Any]]]:
    """Open the page with what the platform draws; also return its calls."""
    context = await browser.new_context(viewport={"width": 1000, "height": 600}, reduced_motion="reduce")
    page = await context.new_page()
    calls: list[Any] = []
    answers = {"Workspaces.Drawing": drawing, "Workspaces.Choices": CHOICES}

    async def ask(method: str, arguments: str) -> str:
        calls.append((method, json.loads(arguments)))
        return json.dumps({"result": answers.get(method, {})})

    async def serve(route: Any) -> None:
        name = route.request.url.split("/")[-1] or "workspaces.html"
        await route.fulfill(body=(PAGES / name).read_bytes(), content_type=TYPES[name.rpartition(".")[2]])

    await page.expose_function("askPlatform", ask)
    await page.add_init_script(BRIDGE)
    await context.route("**/*", serve)
    await page.goto("https://workspaces.own-pages.test/")
    try:
        yield page, calls
    finally:
        await context.close()


def window(app: str) -> dict[str, Any]:
    return {"type": "window", "config": {"appName": app}}


def drawing() -> dict[str, Any]:
    """Two workspaces; the selected one has a group with two tabs and a group with one."""
    children = [
        {"type": "group", "children": [window("chart"), window("notes")]},
        {"type": "group", "children": [window("watch")]},
    ]
    first = {
        "id": "w1",
        "title": "Morning",
        "maximized": "",
        "state": {"type": "workspace", "children": [{"type": "row", "children": children}]},
        "ids": ["p1", "p2", "p3"],
        "windows": {"p1": "i1", "p2": "i2", "p3": "i3"},
        "titles": {"p1": "Chart", "p2": "Notes", "p3": "Market Watch"},
    }
    empty = {"id": "w2", "title": "Evening", "maximized": "", "state": {"children": []}, "ids": [], "windows": {}}
    return {"number": 1, "selected": "w1", "workspaces": [first, {**empty, "titles": {}}]}


@pytest.mark.long
async def test_the_page_with_open_tabs_and_its_dialogs_has_no_violations(browser: Browser) -> None:
    async with workspaces_page(browser, drawing()) as (page, _):
        await expect(page.get_by_role("tab", name="Market Watch")).to_be_visible()
        assert await violations(page) == []
        await page.get_by_role("button", name="Open", exact=True).click()
        await expect(page.get_by_role("dialog", name="Open")).to_be_visible()
        assert await violations(page) == []
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Save", exact=True).click()
        assert await violations(page) == []
        await page.keyboard.press("Escape")


@pytest.mark.long
async def test_the_page_without_apps_has_no_violations(browser: Browser) -> None:
    async with workspaces_page(browser, {**drawing(), "selected": "w2"}) as (page, _):
        await expect(page.get_by_text("Nothing is open in this workspace.")).to_be_visible()
        assert await violations(page) == []
