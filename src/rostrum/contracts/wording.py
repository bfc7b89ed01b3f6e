"""Names of JSON values in messages."""

from collections.abc import Sequence
from typing import Any

_LONGEST = 60


def kind_of(value: Any) -> str | None:
    """Return the name of a value's JSON type; None for null and other values."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, dict):
        return "object"
    return "list" if isinstance(value, list) else None


def shown(value: Any) -> str:
    """Format a value for a message, shortened if necessary."""
    match kind_of(value):
        case "boolean":
            return "true" if value else "false"
        case "text":
            return quoted(_shortened(value))
        case "number":
            return _number(value)
        case "object":
            return "an object"
        case "list":
            return "a list"
        case _:
            return "null" if value is None else f"a Python {type(value).__name__}"


def quoted(word: str) -> str:
    """Format a word as in JSON."""
    return f'"{word}"'


def alternatives(words: Sequence[str]) -> str:
    """Join words: ``a, b or c``."""
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _shortened(text: str) -> str:
    printable = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:_LONGEST]
    )
    return printable if len(text) <= _LONGEST else printable + "…"


def _number(value: float) -> str:
    try:
        return _shortened(repr(value))
    except ValueError:
        # Python does not convert integers with thousands of digits.
        return "a very long number"
