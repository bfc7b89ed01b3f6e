"""The splash under every setting."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.hosts.port import Splash
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.splash import SplashScreen
from tests.sources.firm import Firm


class SlowHost(RecordingHost):
    """Shows the splash when it is instructed to."""

    def __init__(self) -> None:
        super().__init__()
        self.may_show = asyncio.Event()

    async def show_splash(self, splash: Splash) -> None:
        await self.may_show.wait()
        await super().show_splash(splash)


def screen(root: Path, host: RecordingHost, **members: Any) -> SplashScreen:
    firm = Firm(root)
    firm.system(build="B", uiVersion="V", splash=members)
    return SplashScreen(firm.early(), host)


@pytest.mark.setting(
    "splash.alwaysOnTop", "splash.height", "splash.width", "splash.showInTaskbar", "splash.transparent", "splash.url"
)
@pytest.mark.parametrize(
    ("members", "changed"),
    [
        ({}, {}),
        ({"alwaysOnTop": True}, {"always_on_top": True}),
        ({"height": 1}, {"height": 1}),
        ({"width": 2}, {"width": 2}),
        ({"showInTaskbar": False}, {"in_taskbar": False}),
        ({"transparent": False}, {"transparent": False}),
        ({"url": "https://splash.example"}, {"url": "https://splash.example"}),
    ],
)
async def test_it_is_shown_as_the_settings_say(tmp_path: Path, members: Any, changed: dict[str, Any]) -> None:
    host = RecordingHost()
    assert await screen(tmp_path, host, **members).show_at_start()
    usual: dict[str, Any] = {
        "width": 350,
        "height": 233,
        "url": None,
        "build": "B",
        "version": "V",
        "always_on_top": None,
        "in_taskbar": True,
        "transparent": True,
    }
    assert host.splash == Splash(**(usual | changed))


@pytest.mark.setting("splash.blockStartup", "splash.timeout")
@pytest.mark.rule("R-2.15-1", "L-D-13")
async def test_the_start_waits_for_it_no_longer_than_the_timeout_and_not_at_all_unless_it_blocks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    host = SlowHost()
    await screen(tmp_path / "short", host, timeout=1).show_at_start()
    assert host.splash is None
    assert "the splash is not visible after 0.001 s" in caplog.text
    free = screen(tmp_path / "free", host, blockStartup=False, timeout=600_000)
    await asyncio.wait_for(free.show_at_start(), 30)
    assert host.splash is None
    await free.hide()
    waiting = asyncio.create_task(screen(tmp_path / "long", host, timeout=600_000).show_at_start())
    await asyncio.sleep(0)
    assert not waiting.done()
    host.may_show.set()
    await waiting
    assert host.splash is not None
