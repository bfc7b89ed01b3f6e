"""What pages get: scripts, spell checking, search; the scripts run in a real browser."""

from typing import Any

import pytest
from playwright.async_api import Browser

from rostrum.desktop.windows.pages import (
    PUBLIC_DICTIONARIES,
    Page,
    Preload,
    ScriptSource,
    Spelling,
    page_of,
    script_before_page,
)
from rostrum.settings.scope import AppType, Mode
from tests.desktop.test_services_without_windows import settings

ONE, TWO = "https://one.example/a.js", "https://two.example/b.js"


def given(kind: str = "window", details: Any = None, mode: Mode = Mode.DEFAULT, **document: Any) -> Page:
    found = settings(advancedMode=mode is Mode.ADVANCED, **document)
    return page_of({"type": kind, "details": details or {}}, found, found.spellchecker, mode)


@pytest.mark.setting("windows.preloadScripts.scripts", "windows.preloadScripts.useBase64PreloadScripts")
@pytest.mark.rule("R-2.17-4")
@pytest.mark.parametrize("kind", [str(kind) for kind in AppType])
def test_pages_get_preload_scripts_from_a_list_or_an_object_and_other_kinds_get_none(kind: str) -> None:
    has_page = kind in ("window", "workspaces", "webGroup")

    def scripts(written: Any, details: Any = None) -> Preload | None:
        return given(kind, details, windows={"preloadScripts": written}).preload

    assert given(kind).preload is None
    plain = Preload(sources=(ScriptSource(url=ONE), ScriptSource(url=TWO)), as_base64=False)
    assert scripts([ONE, TWO]) == (plain if has_page else None)
    assert scripts({"scripts": [ONE, TWO]}) == (plain if has_page else None)
    encoded = {"scripts": [ONE], "useBase64PreloadScripts": True}
    assert scripts(encoded) == (Preload(sources=(ScriptSource(url=ONE),), as_base64=True) if has_page else None)
    own = scripts([ONE], {"preloadScripts": {"scripts": [TWO], "useBase64PreloadScripts": True}})
    assert own == (Preload(sources=(ScriptSource(url=TWO),), as_base64=True) if has_page else None)
    assert scripts([ONE], {"preloadScripts": []}) is None
    named = {"url": ONE, "fallback": TWO, "timeout": 500, "critical": True}
    chosen = ScriptSource(url=ONE, fallback=TWO, timeout=0.5, critical=True)
    expected = Preload(sources=(chosen,), as_base64=False) if has_page else None
    assert scripts(None, {"preloadScripts": {"scripts": [named, {"fallback": TWO}, 5]}}) == expected


PAGE = """<!doctype html><html><head><script>
  window.seen = [...(window.before ?? [])];
  window.tags = [...(window.tags ?? [])];
</script></head><body>page</body></html>"""
SOURCES = [
    "window.before = ['first ☃', typeof document.body]; (window.tags ??= []).push(document.currentScript?.localName);",
    "window.before.push('second'); window.tags.push(document.currentScript?.localName);",
]


@pytest.mark.long
@pytest.mark.rule("R-2.17-4")
async def test_a_real_page_finds_the_scripts_run_before_its_own_and_as_base64_they_come_as_script_tags(
    browser: Browser,
) -> None:
    for as_base64, tag in ((False, None), (True, "script")):
        page = await browser.new_page()
        await page.add_init_script(script_before_page(SOURCES, as_base64=as_base64))
        await page.route("https://page.example/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        await page.goto("https://page.example/")
        seen, tags = await page.evaluate("[window.seen, window.tags]")
        assert seen == ["first ☃", "object", "second"]
        assert tags == [tag, tag]
        assert await page.evaluate("document.documentElement.outerHTML.includes('before = ')") is False
        await page.close()


@pytest.mark.rule("R-2.6-16")
def test_ctrl_f_opens_the_search_in_pages_and_in_pdfs_in_the_advanced_mode_only() -> None:
    default, advanced = given(), given(mode=Mode.ADVANCED)
    for page in (default, advanced):
        assert page.opens_search("Ctrl+F", "text/html; charset=utf-8")
        assert not page.opens_search("Ctrl+G", "text/html")
    assert not default.opens_search("Ctrl+F", "application/pdf")
    assert advanced.opens_search("Ctrl+F", "application/pdf; version=1.7")
    off = given(details={"search": {"enabled": False}}, mode=Mode.ADVANCED)
    assert not off.opens_search("Ctrl+F", "application/pdf")
    assert not off.opens_search("Ctrl+F", "text/html")


@pytest.mark.setting("spellchecker.enabled", "spellchecker.languages", "spellchecker.dictionaryDownloadURL")
@pytest.mark.rule("R-2.15-15")
def test_spelling_is_checked_with_public_dictionaries_unless_an_own_address_is_set_or_it_is_off() -> None:
    assert given().spelling == Spelling(languages=(), dictionaries=PUBLIC_DICTIONARIES)
    own = {"languages": ["en-GB", "bg"], "dictionaryDownloadURL": "https://words.example/"}
    assert given(spellchecker=own).spelling == Spelling(
        languages=("en-GB", "bg"), dictionaries="https://words.example/"
    )
    assert given(spellchecker={"enabled": False}).spelling is None
