"""The menu of the tray icon, and what its lines do."""

from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.services.tray import Tray
from tests.desktop.test_services_without_windows import settings

APPS: dict[str, dict[str, Any]] = {
    "mail": {"title": "mail"},
    "clock": {"title": "Clock"},
    "secret": {"title": "A secret", "hidden": True},
    "old": {"disabled": True},
}
LINES = ["open", "applications", "notifications", "themes", "hotkeys", "feedback", "info", "diagnostic", "about"]
LINES += ["restart", "exit"]


class Desk:
    def __init__(self, **members: Any) -> None:
        self.host = RecordingHost()
        self.done: list[object] = []
        tray = settings(tray=members).tray
        self.tray = Tray(tray, self.host, lambda: APPS, start=self.start, leave=self.leave)

    async def start(self, app: str) -> None:
        self.done.append(app)

    async def leave(self, *, restart: bool = False) -> None:
        self.done.append(restart)


@pytest.mark.setting(
    "tray.about",
    "tray.applications",
    "tray.diagnostic",
    "tray.exit",
    "tray.feedback",
    "tray.hotkeys",
    "tray.info",
    "tray.open",
    "tray.restart",
    "tray.themes",
    "tray.notifications",
)
@pytest.mark.rule("R-2.15-3")
async def test_the_menu_has_every_line_but_the_notifications_and_each_has_a_switch() -> None:
    desk = Desk()
    await desk.tray.show()
    assert desk.host.tray is not None
    assert [line.id for line in desk.host.tray] == [line for line in LINES if line != "notifications"]
    assert [line.id for line in Desk(notifications=True).tray.menu] == LINES
    for line in LINES:
        switched = [one.id for one in Desk(**{"notifications": True, line: False}).tray.menu]
        assert switched == [one for one in LINES if one != line]


@pytest.mark.setting("tray.enabled")
@pytest.mark.rule("R-2.15-3")
async def test_there_is_no_icon_when_it_is_switched_off() -> None:
    desk = Desk(enabled=False)
    await desk.tray.show()
    assert (desk.host.tray, desk.tray.menu) == (None, ())


async def test_what_is_chosen_is_done() -> None:
    desk = Desk()
    listed = next(line for line in desk.tray.menu if line.id == "applications").entries
    assert [(line.id, line.title) for line in listed] == [
        ("applications/clock", "Clock"),
        ("applications/mail", "mail"),
    ]
    for entry in ("applications/clock", "restart", "exit", "about"):
        await desk.tray.choose(entry)
    assert desk.done == ["clock", True, False]
    assert desk.host.calls == [("own page", "about")]


@pytest.mark.parametrize("entry", ["", "nothing", "applications", "applications/secret", "notifications"])
async def test_what_the_menu_does_not_show_cannot_be_chosen(entry: str) -> None:
    with pytest.raises(DesktopError, match="there is nothing to choose at"):
        await Desk().tray.choose(entry)
