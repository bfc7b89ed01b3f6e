"""The host of headless runs reports what its windows would do."""

from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Center, Focus, Navigate, SetState, SetZoom
from rostrum.desktop.hosts.port import Opened, WindowRequest
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import (
    REPORTS,
    Focused,
    Moved,
    Navigated,
    Reports,
    StateChanged,
    WindowClosed,
    Zoomed,
)
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds

PLACE = Bounds(10, 20, 300, 200)


def request(instance: str) -> WindowRequest:
    return WindowRequest(
        instance=instance, kind="window", title="Clock", details={"url": "https://x/clock"}, bounds=PLACE
    )


async def prepared() -> tuple[RecordingHost, list[Any]]:
    host, reports, heard = RecordingHost(), Reports(), list[Any]()
    for kind in REPORTS.values():
        reports.listen(kind, heard.append)
    await host.prepare(Engine(), reports)
    return host, heard


async def test_what_is_done_with_a_window_is_reported() -> None:
    host, heard = await prepared()
    assert await host.open_window(request("one")) == Opened(bounds=PLACE)
    await host.open_window(request("two"))
    assert Navigated(instance="one", url="https://x/clock") in heard
    heard.clear()
    await host.move_window("one", PLACE)
    assert heard == []
    await host.act("one", SetState(state="maximized"))
    await host.act("one", SetState(state="maximized"))
    await host.act("one", Focus())
    await host.act("two", Focus())
    await host.act("one", SetZoom(factor=1.5))
    await host.act("one", Center())
    await host.act("one", Navigate(url="https://x/other"))
    assert [one for one in heard if not type(one).__name__.startswith("Load")] == [
        StateChanged(instance="one", state="maximized"),
        Focused(instance="one", focused=True),
        Focused(instance="one", focused=False),
        Focused(instance="two", focused=True),
        Zoomed(instance="one", factor=1.5),
        Moved(instance="one", bounds=Bounds(810, 440, 300, 200)),
        Navigated(instance="one", url="https://x/other"),
    ]


async def test_a_closed_window_is_reported_once_and_takes_no_action_any_more() -> None:
    host, heard = await prepared()
    await host.open_window(request("one"))
    await host.close_window("one")
    await host.close_window("one")
    assert heard[-1] == WindowClosed(instance="one")
    assert heard.count(WindowClosed(instance="one")) == 1
    with pytest.raises(DesktopError, match="no window"):
        await host.act("one", Focus())
