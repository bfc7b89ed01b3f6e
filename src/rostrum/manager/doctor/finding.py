"""Finding: the result of one check, and advice."""

from enum import StrEnum

from msgspec import Struct


class Verdict(StrEnum):
    """The severity; only an error affects the operation of the server."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    SKIPPED = "skipped"


class CheckResult(Struct, frozen=True):
    """The result of one check.

    Attributes:
        check: The subject of the check.
        advice: What to do; empty if no action is required.

    """

    check: str
    verdict: Verdict
    message: str
    advice: str = ""


def fine(check: str, message: str) -> CheckResult:
    """Report a successful check."""
    return CheckResult(check, Verdict.OK, message)


def warning(check: str, message: str, advice: str) -> CheckResult:
    """Report a warning."""
    return CheckResult(check, Verdict.WARNING, message, advice)


def error(check: str, message: str, advice: str) -> CheckResult:
    return CheckResult(check, Verdict.ERROR, message, advice)


def skipped(check: str, message: str) -> CheckResult:
    """Report the reason why a check was skipped."""
    return CheckResult(check, Verdict.SKIPPED, message)
