"""Validation of the arguments of method calls, which are untrusted."""

from collections.abc import Mapping
from typing import Any, TypeVar

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.windows.geometry import Bounds

Word = TypeVar("Word", bound=str)


def text(arguments: Mapping[str, Any], name: str) -> str:
    """Return an argument that must be a string."""
    value = arguments.get(name)
    if not isinstance(value, str) or not value:
        raise DesktopError(f"{name} must be text")
    return value


def number(arguments: Mapping[str, Any], name: str) -> float:
    """Return an argument that must be a number of pixels."""
    value = arguments.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) < 1_000_000:
        raise DesktopError(f"{name} must be a number of pixels")
    return value


def choice(arguments: Mapping[str, Any], name: str, words: tuple[Word, ...]) -> Word:
    """Return an argument that must be one of the given words; the first one if it is missing."""
    value = arguments.get(name, words[0])
    found = next((word for word in words if word == value), None)
    if found is None:
        raise DesktopError(f"{name} must be one of {', '.join(words)}")
    return found


def bounds(arguments: Mapping[str, Any]) -> Bounds:
    """Return the rectangle that left, top, width and height describe."""
    return Bounds(*(number(arguments, name) for name in ("left", "top", "width", "height")))
