"""The page that shows workspaces, built from the sources of the browser platform."""

import subprocess
import sys

import pytest

from tools.workspaces_page import NAME, PAGES, ROOT


@pytest.mark.long
def test_the_built_page_is_made_from_its_sources() -> None:
    command = [sys.executable, str(ROOT / "tools" / "workspaces_page.py"), "--check"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (0, "")
    # The page loads nothing but files of its own folder.
    page = (PAGES / "workspaces.html").read_text("utf-8")
    for name in (f"{NAME}.js", f"{NAME}.css", "workspaces.css", "rostrum.js", "rostrum.css"):
        assert f'"{name}"' in page
        assert (PAGES / name).is_file()
    assert "//" not in page
