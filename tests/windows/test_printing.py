"""Printing pages: on a printer that writes a file, and the reasons when there is none."""

import re
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import PrintPage
from rostrum.desktop.hosts.reports import LoadFinished
from rostrum.desktop.windows.geometry import Bounds
from tests.windows.display import Display
from tests.windows.real_host import real_host, site, window

ONE = Bounds(100, 120, 500, 400)
PAGES: dict[str, str | bytes] = {"/": "<title>Letter</title><p>Dear reader</p>"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"copies": 0}, "copies must be a number from 1 to 999"),
    ({"copies": "two"}, "copies must be a number"),
    ({"pageSize": "Napkin"}, "pageSize must be the name of a paper size"),
    ({"pageRanges": [{"from": 3, "to": 1}]}, "pageRanges must have one range"),
    ({"pageRanges": [{}, {}]}, "pageRanges must have one range"),
    ({"header": "Secret"}, "header is not supported"),
    ({"scaleFactor": 50}, "scaleFactor is not supported"),
]


@pytest.mark.long
async def test_pages_are_printed_on_a_printer_of_the_system(display: Display, tmp_path: Path) -> None:
    printed = tmp_path / "printed.pdf"
    with site(PAGES) as pages:
        async with real_host(display, ROSTRUM_WINDOWS_PRINT_FILE=str(printed)) as running:
            await running.host.open_window(window("one", f"{pages.origin}/", ONE))
            await running.wait_for(LoadFinished)
            for options, reason in WRONG:
                with pytest.raises(DesktopError, match=reason):
                    await running.host.act("one", PrintPage(options={"silent": True, **options}))
            assert not printed.exists()
            options = {"silent": True, "copies": 2, "landscape": True, "pageSize": "A5", "color": False}
            await running.host.act("one", PrintPage(options=options))
            content = printed.read_bytes()
            assert content.startswith(b"%PDF")
            # The engine draws each sheet as a picture: at 600 dpi, a sheet of A5 is 210 mm = 4,960 points wide.
            assert 2400 < max(map(int, re.findall(rb"/Width (\d+)", content))) <= 4961


async def test_printing_is_refused_where_the_system_has_no_printer(display: Display) -> None:
    with site(PAGES) as pages:
        # No server of printers: as on a machine without any.
        async with real_host(display, CUPS_SERVER="127.0.0.1:1") as running:
            await running.host.open_window(window("one", f"{pages.origin}/", ONE))
            await running.wait_for(LoadFinished)
            for options in ({}, {"silent": True}, {"silent": True, "deviceName": "Laser"}):
                with pytest.raises(DesktopError, match="the system has no printer; print to PDF instead"):
                    await running.host.act("one", PrintPage(options=options))
