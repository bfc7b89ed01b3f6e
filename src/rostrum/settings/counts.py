"""Determines whether a value has an effect on the running platform, and the reason if not."""

from typing import Any, NamedTuple

from rostrum.settings.problems import Severity, shown
from rostrum.settings.running import Running
from rostrum.settings.setting import Need
from rostrum.settings.shape import Member


class Refusal(NamedTuple):
    """The reason why a value has no effect."""

    severity: Severity
    message: str


def why_not(member: Member, value: Any, running: Running) -> Refusal | None:
    """Return the reason why a value has no effect; None if it has an effect."""
    facts = member.facts
    reason = _unmet(facts, running)
    if reason is not None:
        return Refusal(Severity.WARNING, f"has no effect: it {reason}")
    if isinstance(value, str) and value in facts.refused:
        return Refusal(Severity.ERROR, facts.refused[value])
    if isinstance(value, str) and value in facts.words:
        reason = _unmet(facts.words[value], running)
        if reason is not None:
            return Refusal(Severity.WARNING, f"has no effect: {value} {reason}")
    return _forced(member, value, running)


def _unmet(need: Need, running: Running) -> str | None:
    if need.stream is not None and need.stream is not running.stream:
        return f"belongs to the {need.stream} stream, and this is {running.version}"
    if need.since is not None and not running.has(need.since):
        return f"exists since {need.since}, and this is {running.version}"
    if need.mode is not None and need.mode is not running.mode:
        return f"counts in the {need.mode} mode only, and this is the {running.mode} mode"
    return None


def _forced(member: Member, value: Any, running: Running) -> Refusal | None:
    forced = member.facts.forced.get(running.mode)
    # A value of a wrong type is left to validation.
    if forced is None or type(value) is not type(forced) or value == forced:
        return None
    return Refusal(Severity.WARNING, f"has no effect: it is always {shown(forced)} in the {running.mode} mode")
