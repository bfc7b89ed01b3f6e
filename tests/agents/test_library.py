"""The library that gives pages of the desktop `window.fdc3`."""

import subprocess
import sys

from tools.fdc3_library import LIBRARY, ROOT


def test_the_built_library_is_made_from_its_source_and_the_locked_client() -> None:
    command = [sys.executable, str(ROOT / "tools" / "fdc3_library.py"), "--check"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (0, "")
    assert LIBRARY.read_text("utf-8").startswith("// Made by")
