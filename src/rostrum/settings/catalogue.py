"""The catalogue: all settings of a document by path."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import ValidationError

from rostrum.settings.kinds import SettingsFile
from rostrum.settings.problems import BadDeclaration
from rostrum.settings.scope import AppType, Mode, Scope, Stream, Unit
from rostrum.settings.setting import Section
from rostrum.settings.shape import DISCRIMINATOR, Member, members

_LONGEST_PATH = 200


class Declaration(NamedTuple):
    """The declaration of one setting.

    Attributes:
        path: the path in the document; ``[]`` represents the items of an array.
        container: it only contains other settings.
        reapplied: changes are applied while the platform runs.
        addition: an addition of Rostrum that the specification does not contain.
        by_mode: the default in a mode, if it differs from the default.

    """

    path: str
    type: str
    default: Any
    enum: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    unit: Unit | None
    since: str | None
    stream: Stream | None
    mode: Mode | None
    local_only: bool
    reapplied: bool
    app_types: tuple[AppType, ...]
    text: str
    required: bool
    container: bool
    addition: bool
    by_mode: Mapping[Mode, Any]


@cache
def catalogue(kind: SettingsFile = SettingsFile.SYSTEM) -> Mapping[str, Declaration]:
    """List all settings of a document by path, in the order of declaration."""
    # Here, because a manager that only responds to desktops never needs the sections.
    from rostrum.settings.roots import ROOTS

    return declarations(ROOTS[kind])


def declarations(root: type[Section]) -> Mapping[str, Declaration]:
    """Collect the declarations of a section, and refuse conflicts."""
    found: dict[str, Declaration] = {}
    for declaration in _walk(root, ""):
        known = found.get(declaration.path)
        found[declaration.path] = declaration if known is None else _joined(known, declaration)
    return MappingProxyType(found)


@cache
def local_only_paths(kind: SettingsFile = SettingsFile.SYSTEM) -> tuple[tuple[str, ...], ...]:
    """List the settings that must be local, without settings inside them."""
    local = [path for path, one in catalogue(kind).items() if one.local_only]
    tops = [path for path in local if not any(path.startswith(f"{other}.") for other in local)]
    return tuple(tuple(path.split(".")) for path in tops)


def nearest(path: str, kind: SettingsFile = SettingsFile.SYSTEM) -> str | None:
    """Find the setting with the most similar path."""
    if len(path) > _LONGEST_PATH:
        return None
    paths = {known.lower(): known for known in catalogue(kind)}
    if path.lower() in paths:
        return paths[path.lower()]
    last = path.lower().rsplit(".", 1)[-1]
    same_name = [known for known in paths if known.rsplit(".", 1)[-1] == last]
    close = get_close_matches(path.lower(), same_name or list(paths), n=1, cutoff=0.0 if same_name else 0.6)
    return paths[close[0]] if close else None


def misplaced(name: str, kind: SettingsFile = SettingsFile.SYSTEM) -> str | None:
    """Find the only setting with a name, for names in a wrong place."""
    found = [path for path in catalogue(kind) if path.rsplit(".", 1)[-1].lower() == name.lower()]
    return found[0] if len(found) == 1 else None


def _walk(section: type[Section], prefix: str) -> Iterator[Declaration]:
    for member in members(section).values():
        path = f"{prefix}{member.name}"
        yield _declaration(member, path)
        for inner in member.sections:
            yield from _walk(inner, f"{path}[]." if member.many else f"{path}.")


def _declaration(member: Member, path: str) -> Declaration:
    facts = member.facts
    return Declaration(
        path=path,
        type=member.type,
        default=member.default,
        enum=member.enum,
        minimum=member.minimum,
        maximum=member.maximum,
        unit=facts.unit,
        since=facts.since,
        stream=facts.stream,
        mode=facts.mode,
        local_only=facts.scope is Scope.LOCAL_ONLY,
        reapplied=facts.scope is Scope.REAPPLIED,
        app_types=facts.app_types,
        text=member.text,
        required=facts.required,
        container=member.container,
        addition=facts.addition,
        by_mode=facts.by_mode,
    )


def _joined(known: Declaration, other: Declaration) -> Declaration:
    # Variants of a section can share members; each adds its value to the member that distinguishes them.
    if known.path.endswith(f".{DISCRIMINATOR}"):
        known = known._replace(enum=tuple(dict.fromkeys(known.enum + other.enum)))
        other = other._replace(enum=known.enum)
    required = known.required and other.required
    if known._replace(text="", required=required) != other._replace(text="", required=required):
        raise BadDeclaration(f"{known.path} is declared twice, and differently")
    return known._replace(required=required)


def check_defaults(section: type[Section]) -> None:
    """Refuse invalid defaults. A test checks all sections: this takes longer than everything else in this module."""
    try:
        section()
    except ValidationError as error:
        wrong = [".".join(map(str, one["loc"])) for one in error.errors() if one["type"] != "missing"]
        if wrong:
            raise BadDeclaration(f"{section.__name__}: bad default of {', '.join(wrong)}") from error
    for member in members(section).values():
        for inner in member.sections:
            check_defaults(inner)
