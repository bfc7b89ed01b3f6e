"""Log lines for people and for machines."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rostrum.base.log import request_id, set_up_logging

# Not a registered one: the test runner would catch its records, and cannot send half surrogate pairs between processes.
log = logging.Logger("rostrum.test")  # noqa: LOG001
Lines = Callable[[], list[str]]

NASTY = [
    "two\nlines",
    "\r\n2026-01-01T00:00:00.000Z info    forged",
    "bell \x07 escape \x1b[31m nul \0 delete \x7f",
    "next line \x85 separators \u2028\u2029 feeds \x0b\x0c\x1c\x1d\x1e",
    "half a pair \ud800",
]


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    names = ("aiosqlite", "asyncio", "alembic", "_granian")
    before = (root.handlers[:], root.level, [logging.getLogger(name).level for name in names])
    yield
    root.handlers[:], level, levels = before
    root.setLevel(level)
    for name, old in zip(names, levels, strict=True):
        logging.getLogger(name).setLevel(old)


@pytest.fixture
def text() -> Lines:
    """What is logged in the form for people."""
    return _logging_to("text")


@pytest.fixture
def events() -> Callable[[], list[dict[str, Any]]]:
    """What is logged in the form for machines, read back."""
    lines = _logging_to("json")
    return lambda: [json.loads(line) for line in lines()]


def _logging_to(form: str) -> Lines:
    # Bytes below, as on a real terminal or file: what cannot be encoded must show here.
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    set_up_logging("info", form, stream)
    log.handlers[:] = logging.getLogger().handlers

    def lines() -> list[str]:
        stream.flush()
        stream.seek(0)
        found = stream.read()
        assert found.endswith("\n")
        return found[:-1].split("\n")

    return lines


def fail() -> None:
    try:
        raise ValueError("broken \ud800 here")
    except ValueError:
        log.exception("failed\nbadly")


def test_a_line_for_people_has_time_level_and_message(text: Lines) -> None:
    log.warning("disk at %d %%", 91)

    time, level, message = text()[0].split(maxsplit=2)
    assert time.endswith("Z")
    assert len(time) == len("2026-01-01T00:00:00.000Z")
    assert (level, message) == ("warning", "disk at 91 %")


def test_a_line_for_machines_is_one_json_object(events: Callable[[], list[dict[str, Any]]]) -> None:
    log.warning("disk at %d %%", 91)

    (event,) = events()
    assert event.pop("time").endswith("Z")
    assert event == {"level": "warning", "logger": "rostrum.test", "message": "disk at 91 %"}


def test_the_request_is_named_while_it_runs(text: Lines) -> None:
    token = request_id.set("r-17")
    log.info("inside")
    request_id.reset(token)
    log.info("outside")

    inside, outside = text()
    assert inside.endswith("inside [r-17]")
    assert outside.endswith("outside")


def test_the_request_is_named_for_machines_too(events: Callable[[], list[dict[str, Any]]]) -> None:
    token = request_id.set("r-17")
    log.info("inside")
    request_id.reset(token)
    log.info("outside")

    assert [event.get("request") for event in events()] == ["r-17", None]


@pytest.mark.parametrize("message", NASTY)
def test_one_event_is_one_line_for_people(text: Lines, message: str) -> None:
    log.info("name %s", message)

    (line,) = text()
    assert len(line.splitlines()) == 1
    assert line.isprintable()


@pytest.mark.parametrize("message", NASTY)
def test_one_event_is_one_line_for_machines(events: Callable[[], list[dict[str, Any]]], message: str) -> None:
    log.info("name %s", message)

    (event,) = events()
    assert event["message"] == f"name {message}".replace("\ud800", "\\ud800")


def test_letters_of_every_language_stay_readable(text: Lines) -> None:
    log.info("Größe 日本語 🙂")

    assert text()[0].endswith("Größe 日本語 🙂")


def test_an_exception_follows_its_line_for_people(text: Lines) -> None:
    fail()

    first, second, *_, last = text()
    assert first.endswith("failed\\nbadly")
    assert second == "Traceback (most recent call last):"
    assert last == "ValueError: broken \\ud800 here"


def test_an_exception_is_a_member_for_machines(events: Callable[[], list[dict[str, Any]]]) -> None:
    fail()

    (event,) = events()
    assert event["message"] == "failed\nbadly"
    assert event["error"].startswith("Traceback")
    assert event["error"].endswith("ValueError: broken \\ud800 here")


def test_what_is_below_the_level_is_left_out(text: Lines) -> None:
    logging.getLogger("rostrum.other").debug("detail")
    logging.getLogger("aiosqlite").info("chatter")
    logging.getLogger("aiosqlite").warning("trouble")

    (line,) = text()
    assert line.endswith("trouble")


def test_setting_up_again_replaces_the_form(text: Lines) -> None:
    again = _logging_to("json")
    log.info("once")

    assert json.loads(again()[0])["message"] == "once"
    with pytest.raises(AssertionError):
        text()


def test_lines_go_to_standard_error_when_nothing_else_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("warning", "text")
    logging.getLogger("rostrum.other").warning("here")

    assert capsys.readouterr().err.endswith("here\n")
