"""How programs of the same user find a running gateway."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rostrum.gateway.status_file import StatusFile, find_running


def test_what_was_written_is_found_and_removed_with_the_gateway(tmp_path: Path) -> None:
    file = StatusFile(tmp_path / "run")
    file.write("ws://127.0.0.1:1", 1)

    [found] = find_running(tmp_path / "run")

    assert (found.address, found.token) == ("ws://127.0.0.1:1", file.token)
    assert find_running(tmp_path / "run", 2) == []
    file.remove()
    assert find_running(tmp_path / "run") == []
    file.remove()


def test_a_file_that_another_gateway_has_written_anew_stays(tmp_path: Path) -> None:
    first, second = StatusFile(tmp_path), StatusFile(tmp_path)
    first.write("ws://127.0.0.1:1", 1)
    second.write("ws://127.0.0.1:1", 1)

    first.remove()

    assert [found.token for found in find_running(tmp_path)] == [second.token]


@pytest.mark.skipif(sys.platform == "win32", reason="there nobody can ask whether a process runs")
def test_what_a_killed_gateway_left_behind_is_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    path = tmp_path / "gateway-1.json"
    path.write_text(json.dumps({"address": "ws://127.0.0.1:1", "pid": ended.pid, "token": "t"}))

    assert find_running(tmp_path) == []
    assert not path.exists()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"pid": []}', "\xff"])
def test_foreign_files_are_passed_over(tmp_path: Path, content: str) -> None:
    (tmp_path / "gateway-1.json").write_text(content, encoding="latin-1")

    assert find_running(tmp_path) == []
