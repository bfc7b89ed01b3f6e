"""Links to other programs: only listed schemes, only from pages of the app, and only after a click."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.windows.desk import DeskOfTests, page_area
from tests.windows.pages import Pages, page

pytestmark = pytest.mark.asyncio(loop_scope="module")

LINKS = """<style>a, iframe { display: block; height: 60px; border: 0; }</style>
<a href="mailto:ann@example.com?subject=a">Mail</a><a href="tel:1234">Call</a>
<a href="#" onclick="location.href = 'mailto:bob@example.com'">By script</a><iframe src="EVIL"></iframe><script>
  location.href = "mailto:without-a-click@example.com";
  document.querySelector("a").click();
  setTimeout(() => { location.href = "mailto:later@example.com"; }, 0);
</script>"""
MAIL, TEL, SCRIPT, FRAME = range(4)
PAGES = {"/links": page("Links", LINKS)}
PLACE = {"left": 100, "top": 100, "width": 500, "height": 500}
APPS = {"links": {"url": "/links", **PLACE}}
SETTINGS = {"windows": {"security": {"allowedExternalURISchemes": ["mailto"]}}}


@pytest.fixture(scope="module", autouse=True)
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file with the addresses that the system was asked to open: a program in the place of the usual one."""
    folder = tmp_path_factory.mktemp("programs")
    program, addresses = folder / "xdg-open", folder / "addresses"
    program.write_text(f'#!/bin/sh\necho "$1" >> {shlex.quote(str(addresses))}\n')
    program.chmod(0o700)
    addresses.write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(folder), prepend=os.pathsep)
        yield addresses


def words(file: Path) -> list[str]:
    return file.read_text().split()


async def test_a_click_opens_listed_schemes_and_nothing_else_does(desk: DeskOfTests, evil: Pages, opened: Path) -> None:
    evil.answers["/frame"] = page("Frame", "<a href='mailto:evil@example.com'>Mail</a>")
    desk.pages.answers["/links"] = page("Links", LINKS.replace("EVIL", f"{evil.address}/frame"))
    _, window = await desk.loaded("links")
    area = page_area(window)

    def click(line: int) -> None:
        desk.screen.click(area.x + 20, area.y + 60 * line + 20)

    for line in (TEL, FRAME, SCRIPT):
        click(line)
    await desk.screen.until("the mail by script", lambda: "bob" in opened.read_text())
    click(MAIL)
    await desk.screen.until("the mail", lambda: "ann" in opened.read_text())

    assert words(opened) == ["mailto:bob@example.com", "mailto:ann@example.com?subject=a"]
    await desk.close_all()
