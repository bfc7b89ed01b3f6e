"""The libraries that give pages of the desktop `window.fdc3`, and the demo apps `getAgent()`."""

import subprocess
import sys

import pytest

from tools.fdc3_library import DEMO_LIBRARY, LIBRARY, ROOT


@pytest.mark.long
def test_the_built_libraries_are_made_from_their_sources_and_the_locked_client() -> None:
    command = [sys.executable, str(ROOT / "tools" / "fdc3_library.py"), "--check"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (0, "")
    for library in (LIBRARY, DEMO_LIBRARY):
        assert library.read_text("utf-8").startswith("// Made by")
