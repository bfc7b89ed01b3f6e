"""What the stores of the manager have in common: how patient they are, and where each user's copy lies."""

import hashlib
from pathlib import Path

POLL_INTERVAL = 30.0
"""Seconds between questions while the manager cannot tell of changes."""


def folder_of(user: str, folder: Path) -> Path:
    """Return the folder of one user; the name of the user may hold anything."""
    return folder / hashlib.sha256(user.encode("utf-8", "surrogatepass")).hexdigest()[:12]
