"""Processes that are forked behave like processes that are started."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.processes import PATIENCE, ROSTRUM, clean_environment, run, serving

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [("--version",), ("nonsense",), ("manager", "user", "list"), ("config", "check", "a file")],
    ids=" ".join,
)
def test_output_messages_and_exit_status_are_those_of_a_started_process(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "a file").write_text("{")
    environment = clean_environment(HOME=str(tmp_path))
    started = subprocess.run(
        [*ROSTRUM, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip

    forked = run(*arguments, cwd=tmp_path, HOME=str(tmp_path))

    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


def test_a_signal_ends_it_and_is_its_status() -> None:
    with serving("gateway", "--port", "0") as server:
        assert server.line_with("listening")
        assert os.getpgid(server.process.pid) == server.process.pid != os.getpgid(0)
        server.process.send_signal(signal.SIGKILL)

        assert server.process.wait(PATIENCE) == -signal.SIGKILL
        assert server.process.poll() == -signal.SIGKILL
