"""Removes characters from texts of apps that make users read something else."""

import re

_DISGUISES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, and those that change the direction of text, so that it reads differently."""


def shown_text(written: str) -> str:
    """Return a text of an app as users see it, without characters that disguise it."""
    return _DISGUISES.sub("", written)
