"""Validates configuration files against the settings catalogue."""

from typing import Any, Literal, NamedTuple

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.offload import offload
from rostrum.contracts.system_config import Scope
from rostrum.contracts.validation_messages import under
from rostrum.manager.configs.model import ConfigFile
from rostrum.settings.kinds import kind_of
from rostrum.settings.problems import BadVersion, SettingProblem, Severity

Strictness = Literal["warn", "error", "off"]

_MOST = 200


class ConfigKey(NamedTuple):
    """The name and the scope of a file."""

    file: str
    scope: Scope
    target: str


def key_of(config: ConfigFile) -> ConfigKey:
    """Return the name and the scope of a stored file."""
    return ConfigKey(config.file, config.scope, config.target)


class ConfigChecks:
    """Validates files, and refuses invalid files if the setting for validation is ``error``."""

    def __init__(self, strictness: Strictness = "warn") -> None:
        self._strictness = strictness

    async def problems(self, config: ConfigFile) -> list[SettingProblem] | None:
        """Validate a file; return ``None`` if validation is disabled."""
        return await self.problems_at(key_of(config), config.contents)

    async def problems_at(self, key: ConfigKey, contents: str) -> list[SettingProblem] | None:
        """Validate contents as those of a file; return ``None`` if validation is disabled."""
        if self._strictness == "off":
            return None
        return await offload(len(contents), _check, key, contents)

    async def refuse_errors(self, key: ConfigKey, contents: str) -> None:
        """Refuse invalid contents of a file, if the setting for validation is ``error``."""
        if self._strictness != "error":
            return
        found = await offload(len(contents), _check, key, contents)
        errors = [problem for problem in found if problem.severity is Severity.ERROR]
        if errors:
            raise Invalid(f"{key.file} contains invalid settings", under("contents", errors))


def check_contents(file: str, contents: Any, version: str | None = None) -> list[SettingProblem]:
    """Validate the contents of a file, up to a limit of problems; files that the catalogue does not know have none."""
    # These modules load all sections of settings, which a manager that only responds to desktops never needs.
    from rostrum.settings.remote import check_remote
    from rostrum.settings.standard_files import LOGGER, check_standard_file

    kind = kind_of(file)
    if file.lower() == LOGGER:
        # The file is merged with those of other scopes, so a part of it cannot be validated alone.
        return []
    if kind is None:
        return list(check_standard_file(file, contents))[:_MOST]
    try:
        problems = check_remote(kind, contents, version)
    except BadVersion:
        # A scope can have a version that does not exist.
        problems = check_remote(kind, contents)
    if len(problems) > _MOST:
        more = f"{len(problems) - _MOST} more problems are not listed"
        problems = [*problems[:_MOST], SettingProblem(path="", message=more, severity=problems[_MOST].severity)]
    return problems


def _check(key: ConfigKey, contents: str) -> list[SettingProblem]:
    version = key.target if key.scope is Scope.VERSION else None
    return check_contents(key.file, json_text.parse(contents), version)


def problem_view(problem: SettingProblem) -> dict[str, Any]:
    """Return a validation problem for clients. The value is omitted, because it may be a secret."""
    return {
        "path": problem.path,
        "severity": problem.severity.value,
        "message": problem.message,
        "suggestion": problem.suggestion,
    }
