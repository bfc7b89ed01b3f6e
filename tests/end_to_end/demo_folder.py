"""Folders of a demo that was made once in each test process, for tests that do not test how it is made."""

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.end_to_end.processes import serving


def copy_demo(folder: Path) -> Path:
    """Copy a demo that `rostrum up` has made; it was served once, without simulated desktops."""
    return Path(shutil.copytree(_made(), folder))


@cache
def _made() -> Path:
    place = TemporaryDirectory(prefix="rostrum-demo-")
    atexit.register(place.cleanup)
    folder = Path(place.name) / "demo"
    with serving("up", "--dir", str(folder), "--port", "0", "--no-simulation") as server:
        assert server.address
        # The folder of the desktop's configuration is written before this line.
        server.line_with("a desktop")
        assert server.stop() == 0
    return folder
