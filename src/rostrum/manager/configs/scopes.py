"""Selects the configuration files that apply to a client, and orders them by precedence."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from rostrum.base import json_text
from rostrum.contracts.system_config import ConfigDocument, Scope, may_be_array
from rostrum.manager.configs.model import ConfigFile
from rostrum.settings.merge import Layer, laid_over

_RANKS = {scope: rank for rank, scope in enumerate(Scope)}


class Client(Struct, frozen=True, kw_only=True):
    """The client for which files are merged.

    Attributes:
        groups: The effective groups, including inherited ones.

    """

    user: str | None = None
    groups: Collection[str] = frozenset()
    version: str = ""


def scope_of(body: ConfigDocument) -> tuple[Scope, str]:
    """Return the scope of a document, and its version, group or user."""
    for scope in (Scope.VERSION, Scope.GROUP, Scope.USER):
        target = getattr(body, scope.value)
        if target is not None:
            return scope, target
    return Scope.BASE, ""


def applies_to(config: ConfigFile, client: Client) -> bool:
    """Return whether the scope of a file includes this client."""
    match config.scope:
        case Scope.BASE:
            return True
        case Scope.VERSION:
            return config.target in prefixes(client.version)
        case Scope.GROUP:
            return config.target in client.groups
        case Scope.USER:
            return config.target == client.user


def layers(
    configs: Iterable[ConfigFile], client: Client, priorities: Mapping[str, int]
) -> dict[str, tuple[ConfigFile, ...]]:
    """Select the files that apply to a client, by name, lowest precedence first."""
    found: dict[str, list[ConfigFile]] = {}
    for config in configs:
        if applies_to(config, client):
            found.setdefault(config.file, []).append(config)
    return {file: tuple(sorted(found[file], key=lambda config: _weight(config, priorities))) for file in sorted(found)}


def documents(configs: Iterable[ConfigFile]) -> list[Layer[ConfigFile]]:
    """Parse the contents of files, each with the file as its origin."""
    return [Layer(config, json_text.parse(config.contents)) for config in configs]


def merged_text(file: str, configs: Sequence[ConfigFile]) -> str:
    """Merge files of one name, lowest precedence first, into JSON text; a missing file is an empty object or array."""
    if not configs:
        return "[]" if may_be_array(file) else "{}"
    if len(configs) == 1:
        return configs[0].contents
    return json_text.dump(laid_over(json_text.parse(config.contents) for config in configs)).decode()


def prefixes(version: str) -> list[str]:
    """List the version scopes that apply: for ``10.1.2``, these are ``10``, ``10.1`` and ``10.1.2``."""
    parts = version.strip().split(".")[:3]
    numbers: list[str] = []
    for part in parts:
        digits = part.split("-")[0].split("+")[0]
        if not (digits.isascii() and digits.isdigit()):
            break
        numbers.append(digits)
    return [".".join(numbers[: count + 1]) for count in range(len(numbers))]


def _weight(config: ConfigFile, priorities: Mapping[str, int]) -> tuple[int, int, str]:
    """Order the scopes by precedence: base, short versions, long versions, groups by priority and name, user."""
    within = 0
    if config.scope is Scope.VERSION:
        within = config.target.count(".")
    elif config.scope is Scope.GROUP:
        within = priorities.get(config.target, 0)
    return _RANKS[config.scope], within, config.target
