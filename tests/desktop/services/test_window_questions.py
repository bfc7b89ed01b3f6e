"""Apps that are asked before a window changes."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import MayRefresh, Reports, WindowClosed
from rostrum.desktop.services.window_questions import Asked, WindowQuestions


class App:
    """An app that answers, and remembers what it was asked."""

    def __init__(self, allows: bool) -> None:
        self.allows = allows
        self.asked: list[Mapping[str, Any]] = []

    async def __call__(self, details: Mapping[str, Any]) -> bool:
        self.asked.append(details)
        return self.allows


async def test_every_app_is_asked_once_and_one_is_enough_to_prevent() -> None:
    questions = WindowQuestions(Reports())
    willing, unwilling = App(allows=True), App(allows=False)
    for _ in range(2):
        questions.add(Asked.NAVIGATING, "w", "one", willing)
    assert await questions.may_navigate("w", "https://example.com")
    questions.add(Asked.NAVIGATING, "w", "two", unwilling)
    assert not await questions.may_navigate("w", "https://example.com")
    assert willing.asked == [{"newUrl": "https://example.com"}] * 2
    # Other windows and other questions are not concerned.
    assert await questions.may_navigate("v", "https://example.com")
    assert await questions.may(Asked.CLOSING, "w")


async def test_an_app_is_not_asked_after_it_has_left_or_the_window_is_closed() -> None:
    reports = Reports()
    questions = WindowQuestions(reports)
    for window, peer in (("left", "one"), ("removed", "two"), ("closed", "three")):
        questions.add(Asked.REFRESHING, window, peer, App(allows=False))
    assert [await reports.ask(MayRefresh(instance=one)) for one in ("left", "removed", "closed")] == [False] * 3
    questions.forget("one")
    questions.remove(Asked.REFRESHING, "removed", "two")
    questions.remove(Asked.REFRESHING, "removed", "nobody")
    reports.report(WindowClosed(instance="closed"))
    assert [await reports.ask(MayRefresh(instance=one)) for one in ("left", "removed", "closed")] == [True] * 3


async def test_an_app_that_fails_or_never_answers_prevents_nothing() -> None:
    questions = WindowQuestions(Reports(), timeout=0.01)

    async def fails(_: Mapping[str, Any]) -> bool:
        raise DesktopError("broken")

    async def never(_: Mapping[str, Any]) -> bool:
        await asyncio.Event().wait()
        return False

    questions.add(Asked.CLOSING, "w", "one", fails)
    questions.add(Asked.CLOSING, "w", "two", never)
    assert await questions.may(Asked.CLOSING, "w")


async def test_the_number_of_apps_for_a_window_is_limited() -> None:
    questions = WindowQuestions(Reports())
    for number in range(100):
        questions.add(Asked.CLOSING, "w", str(number), App(allows=True))
    with pytest.raises(DesktopError, match="100 apps"):
        questions.add(Asked.CLOSING, "w", "more", App(allows=True))
    questions.add(Asked.CLOSING, "w", "7", App(allows=False))
    assert not await questions.may(Asked.CLOSING, "w")
