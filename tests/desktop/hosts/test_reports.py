"""Reports of a window host: facts reach every listener, questions one handler."""

from dataclasses import fields
from typing import Any

import pytest

from rostrum.desktop.hosts.actions import ACTIONS
from rostrum.desktop.hosts.reports import (
    QUESTIONS,
    REPORTS,
    MayClose,
    Moved,
    PermissionRequested,
    Reports,
    WindowClosed,
)
from rostrum.desktop.windows.geometry import Bounds


def test_a_report_reaches_every_listener_of_its_kind_and_no_other() -> None:
    reports, heard = Reports(), list[Any]()
    reports.listen(Moved, heard.append)
    stop = reports.listen(Moved, heard.append)
    moved = Moved(instance="one", bounds=Bounds(1, 2, 3, 4))
    reports.report(moved)
    reports.report(WindowClosed(instance="one"))
    assert heard == [moved, moved]
    stop()
    reports.report(moved)
    assert heard == [moved, moved, moved]


def test_a_failing_listener_is_logged_and_others_receive_the_report(caplog: pytest.LogCaptureFixture) -> None:
    reports, heard = Reports(), list[Any]()

    def fail(_: WindowClosed) -> None:
        raise RuntimeError("broken")

    reports.listen(WindowClosed, fail)
    reports.listen(WindowClosed, heard.append)
    reports.report(WindowClosed(instance="one"))
    assert len(heard) == 1
    assert "WindowClosed" in caplog.text


async def test_a_question_is_answered_by_its_handler_else_safely() -> None:
    reports = Reports()
    assert await reports.ask(MayClose(instance="one")) is True
    assert await reports.ask(PermissionRequested(instance="one", origin="https://x", permission="camera")) is False

    async def never(question: MayClose) -> bool:
        return question.instance != "one"

    reports.handle(MayClose, never)
    assert [await reports.ask(MayClose(instance=one)) for one in ("one", "two")] == [False, True]


def test_the_names_of_actions_reports_and_questions_are_unique() -> None:
    names = [*ACTIONS, *REPORTS, *QUESTIONS]
    assert len(names) == len({*names})
    assert all(fields(kind) is not None for kind in (*ACTIONS.values(), *REPORTS.values(), *QUESTIONS.values()))
