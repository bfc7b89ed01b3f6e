"""Checks of the settings: what was noted about them, and whether the secrets are any."""

import re
from collections.abc import Iterator
from pathlib import Path

from rostrum.base.command_line import command, path_argument, quote
from rostrum.manager.config import LoadedConfig
from rostrum.manager.doctor.finding import Finding, fine, warning

_EXAMPLE = re.compile(r"(?i)change.?me|secret|example|password|default|0123456789|abcdefgh")
_FEWEST_LETTERS = 10


def check_settings(loaded: LoadedConfig, file: Path | None) -> Iterator[Finding]:
    """Tell where the settings came from, and everything that is unwise or without effect in them."""
    where = str(file) if file is not None else "the environment variables"
    yield fine("configuration", f"{where} can be used")
    for note in loaded.notes:
        yield warning("settings", note, "change the setting, or leave it out")
    if not loaded.notes:
        yield fine("settings", "none is without effect or unwise")


def check_secrets(loaded: LoadedConfig, file: Path | None) -> Iterator[Finding]:
    """Look at the key that signs sign-ins, and at who can read the file with it; never show it."""
    secret = loaded.config.token_secret
    if len(set(secret)) < _FEWEST_LETTERS or _EXAMPLE.search(secret):
        fresh = command("manager", "init", "--dir", "new-folder")
        advice = f"use a generated secret: `{fresh}` writes a file with a new one"
        yield warning("secrets", "token.secret looks as if somebody made it up", advice)
    else:
        yield fine("secrets", "token.secret looks random")
    if file is not None and file.stat().st_mode & 0o077:
        yield warning(
            "secrets",
            f"{file} can be read by others, and holds secrets",
            f"run `{quote('chmod', '600', path_argument(file))}`",
        )
