"""The questions that the platform asks by itself."""

from typing import Any

import pytest

from rostrum.desktop.hosts.port import DialogLook
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.services.dialogs import Dialogs, Unsaved
from tests.desktop.test_services_without_windows import settings

SHUTDOWN = "The shutdown is prevented by Clock (not saved); Mail. Leave anyway?"
CLOSE = "Closing is prevented by Clock (not saved). Close anyway?"
LAYOUT = "The layout Morning has changes that are not saved. Save them?"
HOLDERS = [("Clock", "not saved"), ("Mail", "")]


def dialogs(answer: str | None = None, **enabled: bool) -> tuple[Dialogs, RecordingHost]:
    host = RecordingHost()
    if answer is not None:
        host.answers = dict.fromkeys((SHUTDOWN, CLOSE, LAYOUT), answer)
    return Dialogs(settings(dialogs={"enableDefaultDialogs": enabled}).dialogs, host), host


def asked(host: RecordingHost) -> list[Any]:
    return [about[0] for what, about in host.calls if what == "ask"]


@pytest.mark.setting("dialogs.enableDefaultDialogs.preventShutdown")
@pytest.mark.rule("R-2.15-12")
@pytest.mark.parametrize(("answer", "leaves"), [(None, False), ("Stay", False), ("Leave", True), ("nonsense", False)])
async def test_a_prevented_shutdown_is_decided_by_the_user(answer: str | None, leaves: bool) -> None:
    asking, host = dialogs(answer)
    assert await asking.leave_anyway(HOLDERS) is leaves
    assert asked(host) == [SHUTDOWN]
    silent, host = dialogs(answer, preventShutdown=False)
    assert await silent.leave_anyway(HOLDERS) is False
    assert await silent.leave_anyway([]) is True
    assert asked(host) == []


@pytest.mark.setting("dialogs.enableDefaultDialogs.preventWindowClose")
@pytest.mark.rule("R-2.15-12")
@pytest.mark.parametrize(("answer", "closes"), [(None, False), ("Close", True)])
async def test_a_window_that_is_kept_open_is_asked_about_and_the_answer_counts(
    answer: str | None, closes: bool
) -> None:
    asking, host = dialogs(answer)
    assert await asking.close_anyway("Clock", "not saved") is closes
    assert asked(host) == [CLOSE]
    silent, host = dialogs(answer, preventWindowClose=False)
    assert await silent.close_anyway("Clock", "not saved") is False
    assert asked(host) == []


@pytest.mark.setting("dialogs.enableDefaultDialogs.unsavedLayoutChanges")
@pytest.mark.rule("R-2.15-12")
@pytest.mark.parametrize("answer", [None, *Unsaved])
async def test_changes_of_a_layout_are_asked_about_only_when_that_is_switched_on(answer: str | None) -> None:
    silent, host = dialogs(answer)
    assert await silent.unsaved("Morning") is Unsaved.DISCARD
    assert asked(host) == []
    asking, host = dialogs(answer, unsavedLayoutChanges=True)
    assert await asking.unsaved("Morning") is Unsaved(answer or "Stay")
    assert asked(host) == [LAYOUT]


@pytest.mark.setting("dialogs.url", "dialogs.height", "dialogs.width", "dialogs.transparent")
async def test_a_question_is_asked_in_a_window_of_the_size_and_page_that_are_set() -> None:
    host = RecordingHost()
    members = {"url": "https://ask.example", "width": 11, "height": 22, "transparent": True}
    await Dialogs(settings(dialogs=members).dialogs, host).close_anyway("Clock", "")
    ((_, (question, choices, look)),) = host.calls
    assert question == "Closing is prevented by Clock. Close anyway?"
    assert choices == ("Keep open", "Close")
    assert look == DialogLook(width=11, height=22, transparent=True, url="https://ask.example")
