"""Downloaded files that open by themselves: documents that the user has requested."""

import os
from pathlib import Path
from urllib.parse import unquote

import pytest

from rostrum.desktop.hosts.actions import Download, RunScript
from rostrum.desktop.hosts.reports import DownloadProgressed, LoadFinished
from rostrum.desktop.windows.geometry import Bounds
from tests.ports import free_port
from tests.windows.cdp import Cdp
from tests.windows.display import Display
from tests.windows.real_host import real_host, site, window

PAGES: dict[str, str | bytes] = {
    "/": "<title>Files</title><a id=pdf href=/x download=report.pdf>x</a><a id=sh href=/x download=run.sh>x</a>",
    "/x": b"content",
}
CLICK = "document.getElementById('{}').click()"


@pytest.mark.long
async def test_a_file_opens_if_it_is_a_document_that_the_user_has_requested(display: Display, tmp_path: Path) -> None:
    opened, programs, files = tmp_path / "opened", tmp_path / "programs", tmp_path / "files"
    programs.mkdir()
    (programs / "xdg-open").write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    (programs / "xdg-open").chmod(0o755)
    port, path = free_port(), f"{programs}{os.pathsep}{os.environ['PATH']}"
    settings = {"downloadSettings": {"path": str(files), "autoOpenDownload": True}}
    with site(PAGES) as pages:
        async with real_host(display, PATH=path, ROSTRUM_WINDOWS_DEBUGGING=f"127.0.0.1:{port}") as running:

            async def downloaded(name: str) -> None:
                file = str(files / name)
                await running.wait_for(DownloadProgressed, lambda one: one.path == file and one.state == "completed")

            await running.host.open_window(
                window("one", f"{pages.origin}/", Bounds(100, 100, 500, 400), details=settings)
            )
            await running.wait_for(LoadFinished)
            # Neither the page itself nor another app is the user.
            await running.host.act("one", RunScript(code=CLICK.format("pdf")))
            await downloaded("report.pdf")
            await running.host.act("one", Download(url=f"{pages.origin}/x", options={"fileName": "other.pdf"}))
            async with Cdp(port).page(f"{pages.origin}/") as inside:
                await inside.evaluate(CLICK.format("sh"))
                await downloaded("run.sh")
                await inside.evaluate(CLICK.format("pdf"))
                await downloaded("report (1).pdf")

            async def openings() -> str:
                return opened.read_text() if opened.exists() else ""

            await running.until(openings, lambda text: "\n" in text)
    (address,) = opened.read_text().splitlines()
    assert unquote(address) == f"file://{files}/report (1).pdf"
