"""SettingProblem: a problem in a settings document, with its severity; and errors of the settings package."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.base.problems import Problem

MASK = "••••"
_LONGEST_SHOWN = 60


class Severity(StrEnum):
    """The severity of a problem."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingProblem(Problem):
    """An error, warning or note about a settings document.

    Attributes:
        value: the value at the path; masked if it is a secret.
        suggestion: the most similar valid name or value, if any.
        incomplete: a missing value that another merged document may contain.
        idle: the value has no effect on this platform, but may have one in another version or mode.

    """

    severity: Severity
    value: Any = None
    suggestion: str | None = None
    incomplete: bool = False
    idle: bool = False


def shown(value: Any) -> str:
    """Write a value, shortened to one line."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        # Very long integers cannot be converted to text.
        return str(value) if value.bit_length() < 256 else "a very long number"
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


class SettingsError(RostrumError):
    """The base class of errors of this package."""


class BadDeclaration(SettingsError):
    """A declaration contradicts another one or itself."""


class BadVersion(SettingsError):
    """A text is not a version of the platform."""
