"""The sources that a system.json declares, with environment variables filled in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rostrum.base.placeholders import expand
from rostrum.base.problems import Problem, json_path
from rostrum.settings.read import Reader
from rostrum.settings.running import Running
from rostrum.settings.sections.system_configurations import PathSource, RestSource, SystemConfigurations
from rostrum.sources.environment import unknown_variables
from rostrum.sources.source import RequestIdentity, Source

_SECTION = "systemConfigurations"
_STEPS = (_SECTION, "sources")
# Existing configurations use this word for the built-in folder, which is always included.
_BUILT_IN = "default"
_PASSWORD = re.compile(r"[^/?#]*://[^/?#@]*:[^/?#]*@")
_CREDENTIALS_IN_ADDRESS = (
    "must not contain a password. Remove it: the desktop signs in to the manager of server.url, and asks the user for "
    "the credentials of other origins"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The sources that a document declares.

    Attributes:
        unusable: Required entries that are invalid: the platform must not start without them.
    """

    sources: tuple[Source, ...] = ()
    unusable: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def declared_sources(document: Any, running: Running, variables: Mapping[str, str]) -> Declared:
    """Return the sources that a document declares; validation problems of these entries are reported elsewhere."""
    configurations = document.get(_SECTION) if isinstance(document, dict) else None
    entries = configurations.get("sources") if isinstance(configurations, dict) else None
    since = SystemConfigurations.facts.since
    if not isinstance(entries, list) or (since is not None and not running.has(since)):
        return Declared()
    sources: list[Source] = []
    unusable: list[str] = []
    problems: list[Problem] = []
    for index, entry in enumerate(entries):
        section = _read(entry, running)
        path = json_path((*_STEPS, index))
        if section is not None:
            sources.append(_source(section, path, variables, problems))
        elif isinstance(entry, dict) and entry.get("required") is True and entry.get("type") != _BUILT_IN:
            unusable.append(path)
    return Declared(sources=tuple(sources), unusable=tuple(unusable), problems=tuple(problems))


def _read(entry: Any, running: Running) -> PathSource | RestSource | None:
    section = Reader(running).section(SystemConfigurations, {"sources": [entry]}, (_SECTION,))
    return section.sources[0] if section is not None and section.sources else None


def _source(
    section: PathSource | RestSource, path: str, variables: Mapping[str, str], problems: list[Problem]
) -> Source:
    expanded = expand(section.source, variables)
    problems.extend(unknown_variables(f"{path}.source", expanded))
    if section.type == "rest" and _PASSWORD.match(expanded.text):
        problems.append(Problem(path=f"{path}.source", message=_CREDENTIALS_IN_ADDRESS))
    someone = section.impersonation
    source = Source(
        type=section.type,
        source=expanded.text,
        configs=section.configs,
        priority=section.priority,
        required=section.required,
        impersonation=RequestIdentity(user=someone.user, group=someone.group, version=someone.version)
        if someone
        else RequestIdentity(),
    )
    return _remote(source, section, path, problems) if isinstance(section, RestSource) else source


def _remote(source: Source, section: RestSource, path: str, problems: list[Problem]) -> Source:
    if not section.rest_timeout:
        problems.append(Problem(path=f"{path}.restTimeout", message="must be greater than 0"))
    return replace(
        source,
        rest_backoff_factor=section.rest_backoff_factor,
        rest_retries=int(section.rest_retries),
        rest_timeout=section.rest_timeout or source.rest_timeout,
        rest_use_cache=section.rest_use_cache,
    )
