"""Local sources: which files count, and what is said of those that cannot."""

import os
from pathlib import Path

import pytest

from rostrum.sources.environment import Pair
from rostrum.sources.path_source import PathReader
from rostrum.sources.source import DEFAULT_SOURCE, STANDARD_FILES, Fetched, Source


def read(root: Path, source: Source = DEFAULT_SOURCE, pair: Pair | None = None) -> Fetched:
    return PathReader(root, pair or Pair("DEMO", "EMEA")).read(source)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "system.json").write_text('{"build": "local" /* ours */,}')
    return folder


def test_every_standard_file_is_read(tmp_path: Path, config: Path) -> None:
    for name in STANDARD_FILES:
        (config / name).write_text(f'{{"name": "{name}"}}')
    fetched = read(tmp_path)
    assert {name: file.document["name"] for name, file in fetched.files.items()} == {n: n for n in STANDARD_FILES}


async def test_reading_works_inside_an_event_loop(tmp_path: Path, config: Path) -> None:
    fetched = await PathReader(tmp_path)(DEFAULT_SOURCE)
    assert fetched.files["system.json"].document == {"build": "local"}


@pytest.mark.rule("R-2.8-5", "X-D-11")
def test_custom_files_are_ignored_with_a_note(tmp_path: Path, config: Path) -> None:
    for name in ("custom.json", "system-UAT-APAC.json", "notes.txt", ".hidden.json"):
        (config / name).write_text("{}")
    fetched = read(tmp_path)
    assert set(fetched.files) == {"system.json"}
    assert [(remark.file, remark.severity) for remark in fetched.remarks] == [("custom.json", "note")]


def test_the_file_of_the_environment_and_region_is_read_too(tmp_path: Path, config: Path) -> None:
    (config / "system-demo-Emea.json").write_text("{}")
    assert set(read(tmp_path).files) == {"system.json", "system-demo-Emea.json"}
    assert set(read(tmp_path, pair=Pair("DEMO", "")).files) == {"system.json"}


def test_a_single_file_counts_as_system_json_unless_it_has_a_standard_name(tmp_path: Path) -> None:
    for name in ("mine.json", "channels.json"):
        (tmp_path / name).write_text("{}")
    assert set(read(tmp_path, Source(type="path", source="mine.json")).files) == {"system.json"}
    assert set(read(tmp_path, Source(type="path", source="channels.json")).files) == {"channels.json"}


def test_another_base_file_takes_the_place_of_system_json(tmp_path: Path, config: Path) -> None:
    (config / "base.json").write_text('{"build": "base"}')
    fetched = read(tmp_path, Source(type="path", source="config", base_file="base.json"))
    assert fetched.files["system.json"].document == {"build": "base"}
    assert fetched.remarks == ()
    missing = read(tmp_path, Source(type="path", source="config", base_file="none.json"))
    assert (missing.status, missing.error) == ("failed", "there is no none.json")


@pytest.mark.rule("R-2.8-10")
def test_absolute_and_relative_folders_are_found(tmp_path: Path, config: Path) -> None:
    for source in (str(config), "config", "./config", "config/../config"):
        assert read(tmp_path, Source(type="path", source=source)).status == "ok"


@pytest.mark.rule("R-2.8-21")
def test_settings_for_remote_sources_change_nothing(tmp_path: Path, config: Path) -> None:
    source = Source(
        type="path", source="config", rest_timeout=0, rest_retries=9, rest_backoff_factor=9e9, rest_use_cache=False
    )
    assert read(tmp_path, source).files == read(tmp_path).files


def test_a_member_is_found_in_its_line(tmp_path: Path, config: Path) -> None:
    (config / "system.json").write_bytes(b'\xef\xbb\xbf{\r\n  "a": {\r\n    "b": 1}}')
    file = read(tmp_path).files["system.json"]
    assert file.document == {"a": {"b": 1}}
    assert file.place(("a", "b")) == (3, 5)


@pytest.mark.rule("R-2.9-11")
def test_an_empty_file_sets_nothing(tmp_path: Path, config: Path) -> None:
    (config / "themes.json").write_bytes(b"\xef\xbb\xbf \r\n")
    assert read(tmp_path).files["themes.json"].document == {}


def test_an_array_is_taken_where_the_file_may_hold_one(tmp_path: Path, config: Path) -> None:
    (config / "channels.json").write_text("[]")
    assert read(tmp_path).files["channels.json"].document == []
    (config / "system.json").write_text("[]")
    assert read(tmp_path).error == "system.json: must hold an object"


def test_a_missing_folder_fails_by_name(tmp_path: Path) -> None:
    fetched = read(tmp_path)
    assert (fetched.status, fetched.files) == ("failed", {})
    assert fetched.error == f"there is no {tmp_path / 'config'}"


def test_a_path_that_no_system_takes_fails(tmp_path: Path) -> None:
    assert read(tmp_path, Source(type="path", source="a\0b")).status == "failed"


def test_an_empty_folder_is_worth_a_warning(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    fetched = read(tmp_path)
    assert fetched.status == "ok"
    assert [remark.message for remark in fetched.remarks] == ["the folder holds no configuration files"]


def test_every_damaged_file_is_reported_at_once_with_its_line(tmp_path: Path, config: Path) -> None:
    (config / "system.json").write_text('{\n  "a": oops\n}')
    (config / "channels.json").mkdir()
    os.mkfifo(config / "themes.json")
    (config / "env.json").write_text('"text"')
    (config / "logger.json").write_bytes(b"\xff")
    with (config / "stickywindows.json").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    fetched = read(tmp_path)
    assert (fetched.status, fetched.files) == ("failed", {})
    said = {remark.file: remark.message for remark in fetched.remarks}
    assert said == {
        "system.json": "'oops' is not a value; text needs quotation marks",
        "channels.json": "is a folder where a file should be",
        "themes.json": "is not a regular file",
        "env.json": "must hold an object",
        "logger.json": "the text is not UTF-8: invalid start byte at byte 0",
        "stickywindows.json": "has 104,857,600 bytes; 67,108,864 are allowed",
    }
    assert "system.json: line 2, column 8: 'oops' is not a value" in str(fetched.error)
    assert [remark.place for remark in fetched.remarks if remark.file == "system.json"] == [(2, 8)]


def test_a_file_that_may_not_be_read_is_reported(tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert read(tmp_path).error == "system.json: may not be read by this user"


def test_a_link_to_nowhere_is_reported(tmp_path: Path, config: Path) -> None:
    (config / "themes.json").symlink_to(config / "gone.json")
    assert "themes.json: there is no" in str(read(tmp_path).error)


def test_members_given_twice_and_deep_nesting_are_reported(tmp_path: Path, config: Path) -> None:
    (config / "system.json").write_text('{"a": 1,\n "a": 2}')
    fetched = read(tmp_path)
    assert fetched.files["system.json"].document == {"a": 2}
    assert [str(remark) for remark in fetched.remarks] == [
        "./config: system.json: a: is repeated in line 2, column 2; the last one counts"
    ]
    (config / "system.json").write_text('{"a":' * 200 + "1" + "}" * 200)
    assert "nested deeper" in str(read(tmp_path).error)
