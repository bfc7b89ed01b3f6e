"""What can be done with open windows, on the gateway and by code."""

from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import SetSizeLimits, WindowAction
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import LoadFailed
from rostrum.desktop.windows.geometry import Bounds
from rostrum.gateway import CallFailed
from tests.desktop.t42.libraries import PAGES
from tests.desktop.test_platform import APPS, Desk, desk

__all__ = ["desk"]


class OtherManager(RecordingHost):
    """A system whose window manager does not do what it is asked, and whose pages do not load."""

    async def act(self, instance: str, action: WindowAction) -> Any:
        if type(action).__name__ == "Navigate":
            self.reports.report(LoadFailed(instance=instance, reason="ERR_NAME_NOT_RESOLVED"))
        return None

    async def move_window(self, instance: str, bounds: Bounds) -> None:
        pass


async def test_any_client_changes_windows_with_the_methods_of_the_platform(desk: Desk) -> None:
    navigation = {"allowed": "^https://pages[.]example[.]com/"}
    desk.write_app("page", details={"url": f"{PAGES}/page", "maximizable": False, "navigation": navigation})
    desk.system(**APPS, appRights={"navigation": ["*"]})
    async with desk.running() as platform:
        page = (await platform.services.instances.start("page", {"a": 1})).id
        client = await platform.gateway.local_peer("client", "ann")

        async def call(name: str, **arguments: Any) -> Any:
            return await client.methods.call(f"Rostrum.Windows.{name}", {"instance": page, **arguments})

        await call("Move", left=1, top=2, width=300, height=200)
        await call("SetState", state="minimized")
        await call("Focus")
        await call("Navigate", url=f"{PAGES}/next")
        await call("SetContext", context={"b": 2})
        await call("Hide")
        (window,) = (await client.methods.call("Rostrum.Windows.List"))["windows"]
        assert window == {
            "instance": page,
            "app": "page",
            "name": "page",
            "title": "page",
            "url": f"{PAGES}/next",
            "bounds": {"left": 1, "top": 2, "width": 300, "height": 200},
            "state": "normal",
            "visible": False,
            "focused": True,
            "context": {"a": 1, "b": 2},
        }
        running = platform.services.instances.get(page)
        assert running is not None
        assert running.context == {"a": 1, "b": 2}
        await call("Show")
        assert page not in desk.host.hidden
        refusals: list[tuple[str, dict[str, Any], str]] = [
            ("Move", {"left": "x"}, "left must be a number"),
            ("Move", {"width": 0}, "width must be at least 1 pixel"),
            ("SetState", {"state": "round"}, "state must be one of"),
            ("SetState", {"state": "maximized"}, "maximizable"),
            ("Navigate", {"url": "file:///etc/passwd"}, "must not be a file"),
            ("Navigate", {"url": "https://evil.example.com/"}, "navigation.allowed of its app, or another app"),
            ("SetContext", {"context": 7}, "context must be an object"),
            ("SetContext", {"context": {str(one): one for one in range(1001)}}, "at most 1000 members"),
            ("Focus", {"instance": "nobody"}, "There is no window 'nobody'"),
        ]
        for name, arguments, reason in refusals:
            with pytest.raises(CallFailed, match=reason):
                await call(name, **arguments)
        assert (await client.methods.call("Rostrum.Windows.List"))["windows"] == [{**window, "visible": True}]


async def test_a_window_manager_that_refuses_is_not_waited_for_long(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rostrum.desktop.services.window_control._SETTLE", 0.01)
    desk.host = OtherManager()
    desk.write_app("page", details={"url": f"{PAGES}/page", "left": 0, "top": 0, "width": 500, "height": 400})
    desk.system(**APPS)
    async with desk.running() as platform:
        page = (await platform.services.instances.start("page")).id
        control, registry = platform.services.windows.control, platform.services.windows.registry
        await control.move(page, left=100)
        await control.set_state(page, "maximized")
        await control.focus(page)
        record = registry.find(page)
        # What the system reports counts, not what was asked for.
        assert (record.bounds.left, record.state, record.focused) == (0, "normal", False)
        with pytest.raises(DesktopError, match="The page could not be loaded: ERR_NAME_NOT_RESOLVED"):
            await control.navigate(page, f"{PAGES}/next")


async def test_limits_hold_for_the_size_that_a_window_has_and_gets(desk: Desk) -> None:
    desk.write_app("page", details={"url": f"{PAGES}/page", "left": 0, "top": 0, "width": 500, "height": 400})
    desk.system(**APPS)
    async with desk.running() as platform:
        page = (await platform.services.instances.start("page")).id
        control = platform.services.windows.control
        await control.set_limits(page, SetSizeLimits(min_width=600, max_height=300))
        assert desk.host.bounds(page) == Bounds(0, 0, 600, 300)
        await control.move(page, width=10, height=1000, top=7)
        assert desk.host.bounds(page) == Bounds(0, 7, 600, 300)
