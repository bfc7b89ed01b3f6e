"""How JSON values are named in a sentence for people."""

from collections.abc import Sequence
from typing import Any

_LONGEST = 60


def kind_of(value: Any) -> str | None:
    """Name the JSON kind of a value; None for null and what JSON does not have."""
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
    """Write a value as found in the document, short enough for a message."""
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
    """Write a word as it stands in JSON."""
    return f'"{word}"'


def alternatives(words: Sequence[str]) -> str:
    """Write words as one reads them out: ``a, b or c``."""
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
        # Python refuses to write whole numbers of thousands of digits.
        return "a very long number"
