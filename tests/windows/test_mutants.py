"""The tests of windows fail for broken variants of the product: each variant has a test that notices it."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from rostrum.desktop.t42.window_events import WindowEvents
from tests.windows import test_frames
from tests.windows.desk import DeskOfTests, engine_wanted, running_desk
from tests.windows.display import Display
from tests.windows.mutants import MUTANTS, PROGRAM
from tests.windows.pages import served
from tests.windows.screen import Screen

Test = Callable[[DeskOfTests], Awaitable[None]]
NOTICED: dict[str, tuple[Test, str]] = {
    "drops a report": (
        test_frames.test_the_bar_moves_a_window_by_exactly_the_way_of_the_pointer,
        "not seen within 0.5 s: the report Moved",
    ),
    "shows a window before placing it": (
        test_frames.test_a_window_is_never_visible_anywhere_but_at_its_place,
        "Rectangle(x=10, y=10, width=300, height=200)",
    ),
}


@asynccontextmanager
async def mutated(
    name: str, in_vain: str, tmp_path: Path, display: Display, screen: Screen
) -> AsyncIterator[DeskOfTests]:
    """Run a broken variant, in which a test waits for something that never happens."""
    engine_wanted()
    command = (sys.executable, str(PROGRAM), name) if name in MUTANTS else (sys.executable, "-m", HOST)
    with served(test_frames.PAGES) as pages:
        async with running_desk(tmp_path, display, screen, pages, test_frames.APPS, command=command) as desk:
            # It runs and shows windows: what fails below fails for its fault.
            await test_frames.test_the_taskbar_shows_the_title_of_the_window_and_nothing_else(desk)
            await desk.close_all()
            screen.expected_in_vain = (in_vain,)
            try:
                yield desk
            finally:
                screen.expected_in_vain = ()


HOST = "rostrum.desktop.hosts.qt"


def test_every_mutant_of_the_window_process_has_a_test() -> None:
    assert NOTICED.keys() == MUTANTS.keys()


@pytest.mark.long
@pytest.mark.parametrize("name", MUTANTS)
async def test_a_broken_window_process_is_noticed(name: str, tmp_path: Path, display: Display, screen: Screen) -> None:
    test, reason = NOTICED[name]
    async with mutated(name, "the report Moved", tmp_path, display, screen) as desk:
        with pytest.raises(AssertionError) as caught:
            await test(desk)

    assert reason in str(caught.value)


@pytest.mark.long
async def test_an_answer_without_the_token_event_is_noticed(
    tmp_path: Path, display: Display, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WindowEvents, "executed", lambda *_: None)
    test = test_frames.test_a_command_of_a_client_is_carried_out_and_ends_with_an_event_with_its_token
    async with mutated(
        "answers without the token event", "the event with the token", tmp_path, display, screen
    ) as desk:
        with pytest.raises(TimeoutError):
            await test(desk)
