"""Files for their owner alone, and those that somebody else may have written."""

import os
import sys
from pathlib import Path

import pytest

from rostrum.base.json_file import DamagedFile, JsonFile
from rostrum.base.private_files import NotPrivate, read_private

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions there are lists, which are not checked")


@pytest.fixture
def file(tmp_path: Path) -> JsonFile:
    made = JsonFile(tmp_path / "private" / "copy.json", private=True)
    made.write({"x": 1})
    return made


def test_a_file_and_its_folder_are_for_their_owner_alone(file: JsonFile) -> None:
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert file.path.parent.stat().st_mode & 0o777 == 0o700
    assert file.read() == {"x": 1}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o666])
def test_a_file_that_others_can_access_is_not_trusted_and_not_changed(file: JsonFile, mode: int) -> None:
    file.path.chmod(mode)
    for _ in range(2):
        with pytest.raises(DamagedFile, match="other users of this machine can read or change it; remove it"):
            file.read()
    assert file.path.stat().st_mode & 0o777 == mode


def test_a_link_a_folder_and_a_pipe_are_rejected_and_do_not_block(file: JsonFile, tmp_path: Path) -> None:
    moved = file.path.rename(tmp_path / "elsewhere")
    file.path.symlink_to(moved)
    with pytest.raises(DamagedFile, match="it is a link; remove it"):
        file.read()
    file.path.unlink()
    file.path.mkdir()
    with pytest.raises(DamagedFile, match="it is not a regular file; remove it"):
        file.read()
    file.path.rmdir()
    os.mkfifo(file.path)
    with pytest.raises(DamagedFile, match="it is not a regular file; remove it"):
        file.read()


def test_a_file_with_more_bytes_than_expected_is_rejected(file: JsonFile) -> None:
    size = file.path.stat().st_size
    assert JsonFile(file.path, private=True, most=size).read() == {"x": 1}
    with pytest.raises(DamagedFile, match=f"it has more than {size - 1} bytes; remove it"):
        JsonFile(file.path, private=True, most=size - 1).read()


def test_a_file_of_another_user_is_not_trusted(file: JsonFile) -> None:
    with pytest.raises(NotPrivate, match="another user of this machine owns it; remove it"):
        read_private(file.path, owner=os.geteuid() + 1)


def test_a_file_that_was_written_for_another_user_is_not_trusted(file: JsonFile) -> None:
    file.path.write_text(file.path.read_text().replace(f'"osUser":"{os.geteuid()}"', '"osUser":"another"'))
    with pytest.raises(DamagedFile, match="written for another user of the operating system"):
        file.read()


def test_a_file_that_is_not_there_is_simply_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        JsonFile(tmp_path / "gone.json", private=True).read()
