"""SettingProblem: one problem of a document of settings, with its severity; errors of the settings as a whole."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.base.problems import Problem

MASK = "••••"
_LONGEST_SHOWN = 60


class Severity(StrEnum):
    """How grave a problem is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingProblem(Problem):
    """One thing that is wrong or worth knowing in a document of settings.

    Attributes:
        value: what the document holds at the path; masked when it is a secret.
        suggestion: the nearest right name or word, when there is one.
        incomplete: something is missing that a document merged with this one may have.
        idle: the value has no effect on this platform; on one of another version or mode it may.

    """

    severity: Severity
    value: Any = None
    suggestion: str | None = None
    incomplete: bool = False
    idle: bool = False


def shown(value: Any) -> str:
    """Write a value short enough for one line."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        # Very long integers cannot be written as text at all.
        return str(value) if value.bit_length() < 256 else "a very long number"
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


class SettingsError(RostrumError):
    """Something is wrong with the settings as a whole."""


class BadDeclaration(SettingsError):
    """A declaration contradicts another one or itself."""


class BadVersion(SettingsError):
    """A text is not a version of the platform."""
