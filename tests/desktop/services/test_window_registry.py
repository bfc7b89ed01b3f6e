"""The model of open windows: what the window host reports is what the rest of the platform reads."""

from dataclasses import replace
from typing import Any

import pytest

from rostrum.base.ids import new_id
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Focus, FrameButton, Navigate, SetState, SetZoom
from rostrum.desktop.hosts.port import Opened, WindowRequest
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import ButtonClicked, Focused, FrameLocked, LoadFailed, StateChanged, WindowClosed
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.geometry import Bounds
from rostrum.settings.parse import parse_system


class Desk:
    """A registry between a recording host and instances, with the names of what it has emitted."""

    def __init__(self, host: RecordingHost | None = None) -> None:
        self.host = host or RecordingHost()
        self.registry = WindowRegistry(self.host, self.host.reports)
        self.heard: list[str] = []
        self.registry.opened.connect(lambda one: self.heard.append(f"opened {one.id}"))
        self.registry.closed.connect(lambda one: self.heard.append(f"closed {one.id}"))
        self.registry.changed.connect(lambda _: self.heard.append("changed"))

    async def open(self, identity: str = "w", **details: Any) -> None:
        details = {"url": "https://example.com/", **details}
        await self.registry.open(WindowRequest(instance=identity, kind="window", title="T", app="a", details=details))


async def test_a_window_is_registered_with_what_its_definition_says() -> None:
    desk = Desk()
    await desk.open(mode="Tab", minWidth=200, onTop="always", allowMinimize=False, frameColor="#fff")
    record = desk.registry.find("w")
    assert (record.mode, record.limits.min_width, record.on_top, record.frame_color) == ("tab", 200, "always", "#fff")
    assert (record.standard_buttons["allowMinimize"], record.standard_buttons["allowClose"]) == (False, True)
    # The recording host loads the page before it answers, and the window is announced once, complete.
    assert (record.url, record.loads, desk.heard) == ("https://example.com/", 1, ["opened w"])


async def test_what_the_host_reports_is_in_the_record() -> None:
    desk = Desk()
    await desk.open()
    reports = desk.host.reports
    await desk.host.move_window("w", Bounds(1, 2, 300, 400))
    await desk.host.act("w", SetState(state="maximized"))
    await desk.host.act("w", Focus())
    await desk.host.act("w", SetZoom(factor=1.5))
    await desk.host.act("w", Navigate(url="https://example.com/next"))
    await desk.host.hide_window("w")
    reports.report(FrameLocked(instance="w", locked=True))
    record = desk.registry.find("w")
    assert (record.bounds, record.state, record.focused) == (Bounds(1, 2, 300, 400), "maximized", True)
    assert (record.zoom, record.url, record.visible, record.locked) == (1.5, "https://example.com/next", False, True)
    reports.report(StateChanged(instance="w", state="collapsed"))
    assert (desk.registry.find("w").state, desk.registry.find("w").collapsed) == ("normal", True)
    reports.report(LoadFailed(instance="w", reason="refused"))
    assert desk.registry.find("w").load_error == "refused"
    # Reports that change nothing, and reports about other windows, are not changes.
    count = len(desk.heard)
    reports.report(FrameLocked(instance="w", locked=True))
    reports.report(FrameLocked(instance="other", locked=True))
    assert len(desk.heard) == count


async def test_one_window_has_the_keyboard_whatever_the_order_of_reports() -> None:
    desk = Desk()
    await desk.open("one")
    await desk.open("two")
    for window, focused in (("one", True), ("two", True), ("one", False)):
        desk.host.reports.report(Focused(instance=window, focused=focused))
        assert sum(one.focused for one in desk.registry.all) == 1
    assert desk.registry.find("two").focused


async def test_a_window_that_cannot_be_opened_or_closes_at_once_is_not_listed() -> None:
    class Failing(RecordingHost):
        async def open_window(self, request: WindowRequest) -> Opened:
            if request.instance == "bad":
                raise DesktopError("no")
            self.reports.report(WindowClosed(instance=request.instance))
            return Opened(bounds=Bounds(0, 0, 1, 1))

    desk = Desk(Failing())
    with pytest.raises(DesktopError):
        await desk.open("bad")
    await desk.open("brief")
    assert (desk.registry.all, desk.heard) == ((), [])


async def test_a_closed_window_is_unknown_and_refused() -> None:
    desk = Desk()
    await desk.open()
    await desk.host.close_window("w")
    assert desk.heard == ["opened w", "closed w"]
    with pytest.raises(DesktopError, match="There is no window 'w'"):
        desk.registry.find("w")
    # A hostile id is not repeated in full.
    with pytest.raises(DesktopError) as refused:
        desk.registry.find("x" * 100_000)
    assert len(str(refused.value)) < 200


async def test_only_clicks_on_buttons_that_an_app_has_added_are_emitted() -> None:
    desk = Desk()
    await desk.open()
    clicks: list[str] = []
    desk.registry.clicked.connect(lambda one: clicks.append(one.button.id))
    desk.registry.update("w", buttons=(FrameButton(id="mail"),))
    for button in ("mail", "other"):
        desk.host.reports.report(ButtonClicked(instance="w", button=button))
    assert clicks == ["mail"]


async def test_waiting_ends_with_the_condition_the_closing_or_the_time() -> None:
    desk = Desk()
    await desk.open()
    assert await desk.registry.until("w", lambda one: one.visible, 60)
    assert not await desk.registry.until("w", lambda one: not one.visible, 0.01)
    assert not await desk.registry.until("other", lambda one: one.visible, 60)


async def test_titles_and_contexts_of_instances_are_those_of_their_windows() -> None:
    desk = Desk()
    definition = {"name": "clock", "type": "window", "details": {"url": "https://example.com"}}
    launcher = WindowLauncher(desk.host, desk.host.reports, parse_system({}).settings, open_window=desk.registry.open)
    instances = Instances({"clock": definition}.get, {"window": launcher}, new_id=new_id)
    desk.registry.follow(instances)
    clock = await instances.start("clock", {"x": 1}, details={"hidden": True, "windowState": "minimized"})
    record = desk.registry.find(clock.id)
    assert (record.app, record.context, record.visible, record.state) == ("clock", {"x": 1}, False, "minimized")
    instances.retitle(clock.id, "Noon", TitledBy.CODE)
    instances.set_context(clock.id, {"x": 2})
    record = desk.registry.find(clock.id)
    assert (record.title, record.context) == ("Noon", {"x": 2})
    child = await instances.open_window(clock.id, "Alarm", {"url": "https://example.com/alarm"}, {"y": 1})
    assert (child.app, child.opener, child.started_by.instance) == ("clock", clock.id, clock.id)
    assert replace(desk.registry.find(child.id)).title == "Alarm"
    await instances.stop(clock.id)
    assert [one.id for one in desk.registry.all] == [child.id]
    with pytest.raises(DesktopError, match="no instance"):
        await instances.open_window(clock.id, "Late", {"url": "https://example.com"}, {})
