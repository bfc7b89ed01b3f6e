"""Configuration files compared with the catalogue of settings."""

import asyncio
from typing import Any, Literal

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.explain import under
from rostrum.manager.storage import ConfigFile, Scope
from rostrum.settings.errors import BadVersion
from rostrum.settings.kinds import kind_of
from rostrum.settings.problems import SettingProblem, Severity
from rostrum.settings.remote import check_remote

__all__ = ["ConfigChecks", "Strictness", "check_contents"]

Strictness = Literal["warn", "error", "off"]

_MOST = 200
_LARGE = 256 * 1024


class ConfigChecks:
    """Tells what is wrong with files, and refuses them where that is wanted."""

    def __init__(self, strictness: Strictness = "warn") -> None:
        """Take what happens to a file with errors."""
        self._strictness = strictness

    async def problems(self, config: ConfigFile) -> list[SettingProblem] | None:
        """Find what is wrong with a file; ``None`` when files are not checked."""
        if self._strictness == "off":
            return None
        if len(config.contents) < _LARGE:
            return _check(config)
        # A large one takes long enough that others would wait for it.
        return await asyncio.to_thread(_check, config)

    async def refuse_errors(self, config: ConfigFile) -> None:
        """Refuse a file with errors, where that is wanted."""
        if self._strictness != "error":
            return
        found = await self.problems(config)
        errors = [problem for problem in found or () if problem.severity is Severity.ERROR]
        if errors:
            raise Invalid(f"{config.file} does not fit the catalogue of settings", _within_contents(errors))


def check_contents(file: str, contents: Any, version: str | None = None) -> list[SettingProblem]:
    """Find what is wrong with the contents of a file, of those that the catalogue knows."""
    kind = kind_of(file)
    if kind is None:
        return []
    try:
        problems = check_remote(kind, contents, version)
    except BadVersion:
        # A scope may be named after a version that no platform has.
        problems = check_remote(kind, contents)
    if len(problems) > _MOST:
        more = f"{len(problems) - _MOST} more problems are not listed"
        problems = [*problems[:_MOST], SettingProblem(path="", message=more, severity=problems[_MOST].severity)]
    return problems


def _check(config: ConfigFile) -> list[SettingProblem]:
    version = config.target if config.scope is Scope.VERSION else None
    return check_contents(config.file, json_text.parse(config.contents), version)


def _within_contents(problems: list[SettingProblem]) -> list[Problem]:
    return under("contents", problems)
