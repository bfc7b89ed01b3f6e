"""The log files of a running platform: written, rotated, kept in their folder."""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.log_files import LogFiles
from rostrum.settings.log_configuration import LogCategory, LogConfiguration, LogFile

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
LOGGER = logging.getLogger("rostrum.desktop.test")


@pytest.fixture
def files(tmp_path: Path) -> Iterator[LogFiles]:
    files = LogFiles(tmp_path / "logs", {"WHERE": "sub", "OUTSIDE": "/etc"})
    yield files
    files.close()


def one_file(name: str = "platform.log", level: int = logging.INFO, **members: Any) -> LogConfiguration:
    return LogConfiguration(categories=(LogCategory(level=level, files=(LogFile(name=name, **members),)),))


def test_records_go_to_the_file_from_the_level_on_and_loggers_are_as_before_at_the_end(
    files: LogFiles, tmp_path: Path
) -> None:
    before = (logging.getLogger().handlers[:], logging.getLogger("rostrum").level)
    other = LogFiles(tmp_path / "other", {})
    assert files.open(one_file(), NOW) == other.open(one_file(level=logging.DEBUG), NOW) == ()
    LOGGER.debug("hidden")
    LOGGER.info("to https://ann:secret@example.com/x")
    files.close()
    LOGGER.info("late")
    other.close()
    LOGGER.info("later")
    (line,) = (tmp_path / "logs" / "platform.log").read_text().splitlines()
    assert line.endswith("info    to https://…@example.com/x")
    assert [one.split()[-1] for one in (tmp_path / "other" / "platform.log").read_text().splitlines()] == [
        "hidden",
        "https://…@example.com/x",
        "late",
    ]
    assert (logging.getLogger().handlers, logging.getLogger("rostrum").level) == before


def test_a_full_file_is_rotated_and_only_some_are_kept(files: LogFiles, tmp_path: Path) -> None:
    files.open(one_file(max_bytes=1024, backups=2), NOW)
    for number in range(100):
        LOGGER.info("line %d %s", number, "x" * 80)
    names = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert names == ["platform.log", "platform.log.1", "platform.log.2"]
    assert all(path.stat().st_size <= 1024 for path in (tmp_path / "logs").iterdir())
    assert "line 99 " in (tmp_path / "logs" / "platform.log").read_text()


def test_categories_have_files_and_levels_of_their_own(files: LogFiles, tmp_path: Path) -> None:
    plain, quiet = LogFile(name="all.log"), LogFile(name="quiet.log", is_json=True, max_bytes=0)
    categories = (
        LogCategory(files=(plain,)),
        LogCategory(name="rostrum.gateway", level=logging.ERROR, files=(quiet,)),
    )
    files.open(LogConfiguration(categories=categories), NOW)
    logging.getLogger("rostrum.gateway.router").warning("left out")
    logging.getLogger("rostrum.gateway.router").error("kept")
    LOGGER.info("general")
    assert (tmp_path / "logs" / "all.log").read_text().endswith("general\n")
    (event,) = map(json.loads, (tmp_path / "logs" / "quiet.log").read_text().splitlines())
    assert (event["message"], event["logger"]) == ("kept", "rostrum.gateway.router")


@pytest.mark.parametrize(
    ("name", "path", "is_moved"),
    [
        ("%WHERE%/own.log", "sub/own.log", False),
        ("%ROSTRUM_USER_DATA%/logs/own.log", "own.log", False),
        ("../key.json", "key.json", True),
        ("/etc/passwd", "passwd", True),
        ("%OUTSIDE%/passwd", "passwd", True),
        ("%UNKNOWN%\\logs\\app.log", "app.log", True),
        ("..", "platform.log", True),
    ],
)
def test_a_file_never_lies_outside_the_folder(
    files: LogFiles, tmp_path: Path, name: str, path: str, is_moved: bool
) -> None:
    assert files.open(one_file(name), NOW) == ()
    LOGGER.info("here")
    assert [str(one.relative_to(tmp_path / "logs")) for one in tmp_path.rglob("*") if one.is_file()] == [path]
    assert ("log files stay in that folder" in (tmp_path / "logs" / path).read_text()) == is_moved


@pytest.mark.parametrize("action", ["keep", "archive", "delete"])
def test_earlier_files_are_kept_archived_or_deleted_at_the_start(files: LogFiles, tmp_path: Path, action: str) -> None:
    (tmp_path / "logs").mkdir()
    for name in ("platform.log", "platform.log.1", "an-app.log"):
        (tmp_path / "logs" / name).write_text("earlier\n")
    configuration = LogConfiguration(on_startup=action)
    assert files.open(configuration, NOW) == ()
    LOGGER.info("now")
    text = (tmp_path / "logs" / "platform.log").read_text()
    assert text.startswith("earlier") == (action == "keep")
    assert (tmp_path / "logs" / "an-app.log").exists()
    assert (tmp_path / "logs" / "platform.log.1").exists() == (action == "keep")
    archived = sorted(path.name for path in (tmp_path / "logs" / "archive").glob("*"))
    assert archived == (
        ["20261115T093000-platform.log", "20261115T093000-platform.log.1"] if action == "archive" else []
    )


def test_a_folder_that_cannot_be_written_is_a_problem_and_nothing_else(files: LogFiles, tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("in the way")
    (problem,) = files.open(one_file(), NOW)
    assert "platform.log cannot be written" in problem
    LOGGER.info("nowhere")


def test_a_disk_that_fills_up_is_reported_once(
    files: LogFiles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "platform.log").symlink_to("/dev/full")
    assert files.open(one_file(), NOW) == ()
    LOGGER.info("one")
    LOGGER.info("two")
    assert capsys.readouterr().err.count("cannot be written: No space left on device") == 1


@pytest.mark.parametrize("members", [{}, {"max_bytes": 0}])
def test_only_the_owner_reads_log_files(files: LogFiles, tmp_path: Path, members: dict[str, Any]) -> None:
    (tmp_path / "logs").mkdir(exist_ok=True)
    (tmp_path / "logs" / "platform.log").touch(0o644)
    files.open(one_file(**members), NOW)
    logging.getLogger("rostrum").info("secret")
    assert {oct(one.stat().st_mode & 0o777) for one in (tmp_path / "logs").iterdir()} == {"0o600"}
