"""The sign-in page in a window of the desktop, and what it hands over to a real manager."""

import asyncio
import base64
import json
import os
import sys
from pathlib import Path
from typing import cast

import pytest

from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.process import ProcessHost
from rostrum.desktop.hosts.start import child_environment
from rostrum.desktop.login import Login
from rostrum.desktop.platform import Platform
from rostrum.sources.load import Start
from tests.desktop.test_platform import with_manager
from tests.real_manager import USER, manager
from tests.windows import processes
from tests.windows.desk import engine_wanted, free_port, window_environment, write_desk
from tests.windows.display import Display
from tests.windows.pages import page, served
from tests.windows.screen import Screen

BASIC = base64.b64encode(":".join(USER).encode()).decode()
HANDED = {"user": USER[0], "headers": {"Authorization": f"Basic {BASIC}"}}
SIGN_IN = f"<script>addEventListener('click', () => authDone({json.dumps(HANDED)}))</script>"
BLUE = (0, 0, 255)
CHILD = (sys.executable, "-m", "rostrum.desktop.hosts.qt")


@pytest.mark.part_of_rule("R-2.4-4", "R-2.4-5")
async def test_the_user_signs_in_on_the_page_of_the_settings_in_a_window_of_their_size(
    display: Display, screen: Screen, tmp_path: Path
) -> None:
    engine_wanted()

    async def ask(_: str) -> Login | None:
        raise AssertionError("the terminal is not asked")

    (tmp_path / "manager").mkdir()
    with (
        served({"/admin/gd": page("Sign in", SIGN_IN, color="#0000ff")}) as pages,
        manager(tmp_path / "manager") as server,
        processes.none_left(),
    ):
        window = {"width": 420, "height": 380}
        sso = {"authController": "sso", "options": {"url": f"{pages.address}/admin/gd", "window": window}}
        write_desk(tmp_path, {}, with_manager(server, ssoAuth=sso), pages.address)
        environment = child_environment(window_environment(display, tmp_path, free_port()))
        host = cast("WindowHost", ProcessHost(CHILD, environment))
        start = Start(root=tmp_path, variables={"PATH": os.environ["PATH"], "USER": "os user"})
        platform = Platform(start, host, ask, ask_on_page=lambda page: page, headless=False)
        starting = asyncio.create_task(platform.start())
        try:
            shown = await screen.until("the sign-in window", lambda: screen.find("Sign in"))
            assert (shown.bounds.width, shown.bounds.height) == (420, 380)
            await screen.until("the page", lambda: screen.pixel(*shown.bounds.center) == BLUE or None)
            assert not starting.done()
            for _ in range(30):
                # A page that was drawn only just now may not take the first click.
                screen.click(*shown.bounds.center)
                await asyncio.wait({starting}, timeout=1)
                if starting.done() or screen.now(shown) is None:
                    break
            async with asyncio.timeout(60):
                await asyncio.shield(starting)
            assert platform.user == USER[0]
            await screen.until("no sign-in window", lambda: screen.find("Sign in") is None or None)
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await platform.stop()
