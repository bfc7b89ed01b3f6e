"""Files that are ours: completely or not at all, and readable after every version."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile, write_whole


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    file = JsonFile(tmp_path / "deep" / "state.json")
    file.write({"a": [1, None, "ä"]})
    assert file.read() == {"a": [1, None, "ä"]}


def test_a_missing_file_is_distinguished_from_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        JsonFile(tmp_path / "none.json").read()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"version": 1}',
        b'{"data": 1}',
        b'{"version": 0, "data": 1}',
        b'{"version": true, "data": 1}',
        b'{"version": "1", "data": 1}',
        b"\xff\xfe\x00",
    ],
)
def test_a_damaged_file_is_named_with_the_reason(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match=r"state\.json cannot be used: .+") as caught:
        JsonFile(path).read()
    assert caught.value.path == path


@given(st.binary(max_size=60))
def test_no_content_at_all_raises_anything_else(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "any.json"
    path.write_bytes(content)
    with pytest.raises((DamagedFile, NewerFile)):
        JsonFile(path).read()


def test_an_old_file_climbs_every_step_of_the_ladder(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    JsonFile(path).write({"name": "x"})
    ladder = {1: lambda data: {"names": [data["name"]]}, 2: lambda data: {**data, "count": len(data["names"])}}
    assert JsonFile(path, 3, ladder).read() == {"names": ["x"], "count": 1}


def test_a_step_that_fails_means_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    JsonFile(path).write([])
    with pytest.raises(DamagedFile, match="version 1 cannot be brought to 2"):
        JsonFile(path, 2, {1: lambda data: data["name"]}).read()


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    JsonFile(path, 2, {1: lambda data: data}).write({})
    with pytest.raises(NewerFile, match="has version 2; this version of Rostrum reads versions up to 1"):
        JsonFile(path).read()


def test_a_ladder_with_a_missing_step_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="version 2"):
        JsonFile(tmp_path / "x.json", 3, {1: lambda data: data})


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_crash_while_writing_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    file = JsonFile(tmp_path / "state.json")
    file.write("old")

    def crash(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(step, crash)
        with pytest.raises(KeyboardInterrupt):
            file.write("new")
    assert file.read() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["state.json"]


def test_what_a_killed_writer_leaves_behind_is_not_read(tmp_path: Path) -> None:
    file = JsonFile(tmp_path / "state.json")
    file.write("old")
    (tmp_path / ".state.json.abc.tmp").write_bytes(b'{"version": 1, "da')
    assert file.read() == "old"


def test_the_content_is_on_the_disk_before_the_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(handle: int) -> None:
        steps.append("fsync")
        fsync(handle)

    def noted_replace(self: Path, target: Path) -> Path:
        steps.append("replace")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    write_whole(tmp_path / "x", b"x")
    assert steps[:2] == ["fsync", "replace"]
