"""Finding: what one check found, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How it is; only an error keeps the server from working as it should."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One verdict.

    Attributes:
        check: What was looked at.
        advice: What to do; empty when there is nothing to do.

    """

    check: str
    verdict: Verdict
    message: str
    advice: str = ""


def fine(check: str, message: str) -> CheckResult:
    """Say that something is as it should be."""
    return CheckResult(check, Verdict.OK, message)


def warning(check: str, message: str, advice: str) -> CheckResult:
    """Say that something works, and should be looked at."""
    return CheckResult(check, Verdict.WARNING, message, advice)


def error(check: str, message: str, advice: str) -> CheckResult:
    return CheckResult(check, Verdict.ERROR, message, advice)


def skipped(check: str, message: str) -> CheckResult:
    """Say why something was not looked at."""
    return CheckResult(check, Verdict.SKIPPED, message)
