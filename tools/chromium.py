"""Finds the Chromium of this machine; tests, screenshots and the check of the admin UI's build use it."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """Return the program's path: the one that ``CHROMIUM_PATH`` names, or the first on the search path."""
    return os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, NAMES)), None)
