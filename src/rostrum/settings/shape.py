"""The members of a section: JSON name, type, default, range and nested sections."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from rostrum.settings.scope import Effect
from rostrum.settings.setting import Facts, Section, facts_of
from rostrum.settings.types import Hint

DISCRIMINATOR = "type"
SectionClass = type[Section]
_NO_FACTS = Facts()
_LIMITED = frozenset({"boolean", "number"})
"""Types whose values cannot contain an address or a script."""
_WORDS = {
    "boolean": "true or false",
    "number": "a number",
    "string": "text",
    "string[]": "an array of strings",
    "object": "an object",
    "object[]": "an array of objects",
    "string[] | object": "an array of strings or an object",
}


class Member(NamedTuple):
    """One member of a section, as declared.

    Attributes:
        name: its name in a document.
        attribute: its name in the section's class.
        sections: the possible sections of its value or items.
        many: the sections are the items of an array.
        plain: the value can also be something other than a section.
        hints: additions of its value type to the JSON Schema.

    """

    name: str
    attribute: str
    type: str
    default: Any
    enum: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    text: str
    facts: Facts
    sections: tuple[SectionClass, ...]
    many: bool
    plain: bool
    hints: Mapping[str, Any]

    @property
    def container(self) -> bool:
        return bool(self.sections) and not self.many and not self.plain

    @property
    def has_default(self) -> bool:
        """Return whether a setting has a value if it is not set."""
        return self.default is not None or bool(self.facts.by_mode)


@cache
def members(section: type[Section]) -> Mapping[str, Member]:
    """List the members of a section by their names in a document."""
    found = (_member(section, name, info) for name, info in section.model_fields.items())
    return {member.name: member for member in found}


@cache
def has_mode_defaults(section: type[Section]) -> bool:
    """Return whether a default somewhere in a section depends on the mode."""
    return any(
        member.facts.by_mode or (member.container and any(has_mode_defaults(inner) for inner in member.sections))
        for member in members(section).values()
    )


def is_open(section: type[Section]) -> bool:
    """Return whether a section accepts undeclared members."""
    return section.model_config.get("extra") == "allow"


def allowed(member: Member) -> str:
    """Describe the possible values of a member."""
    if member.enum:
        words = any_of(member.enum)
        return f"an array of {words}" if member.type.endswith("[]") else words
    return _WORDS[member.type] + _range(member.minimum, member.maximum)


def allowed_item(member: Member) -> str:
    """Describe the possible values of one item of a member."""
    if member.enum:
        return f"one of {', '.join(member.enum)}"
    return "text" if member.type.startswith("string[]") else "text, a number, true or false"


def any_of(words: tuple[str, ...]) -> str:
    """Describe that one of several values is required."""
    return " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"


def as_json(value: Any) -> Any:
    """Convert a default into its JSON value."""
    if isinstance(value, Section):
        written = ((info, name) for name, info in type(value).model_fields.items() if name in value.model_fields_set)
        return {info.alias or name: as_json(getattr(value, name)) for info, name in written}
    if isinstance(value, tuple):
        return [as_json(item) for item in value]
    return value


def _range(low: float | None, high: float | None) -> str:
    if low is None:
        return "" if high is None else f" up to {high}"
    return f" of {low} or more" if high is None else f" from {low} to {high}"


def _member(section: type[Section], attribute: str, info: FieldInfo) -> Member:
    kinds = list(_alternatives(info.annotation))
    many = any(_is_section_array(kind) for kind in kinds)
    inner = [item for kind in kinds for item in _items(kind)] if many else kinds
    sections = tuple(kind for kind in inner if _is_section(kind))
    plain = not many and len(sections) < len(kinds)
    container = bool(sections) and not many and not plain
    written = " | ".join(dict.fromkeys(_type(kind) for kind in kinds))
    enum = tuple(word for kind in kinds for word in _enum(kind))
    around = sections[0].facts if container else section.facts
    if around.effect is Effect.PLAIN and not (enum or written in _LIMITED):
        around = replace(around, effect=None)
    return Member(
        name=info.alias or attribute,
        attribute=attribute,
        type=written,
        default=None if info.is_required() or container else as_json(info.default),
        enum=enum,
        minimum=_bound(info, "ge"),
        maximum=_bound(info, "le"),
        text=info.description or "",
        facts=_inherited(facts_of(info), around),
        sections=sections,
        many=many,
        plain=plain,
        hints={name: rule for hint in _hints(info) for name, rule in hint.schema.items()},
    )


def _inherited(own: Facts, around: Facts) -> Facts:
    if around == _NO_FACTS:
        return own
    return replace(
        own,
        since=own.since or around.since,
        stream=own.stream or around.stream,
        mode=own.mode or around.mode,
        scope=own.scope or around.scope,
        app_types=own.app_types or around.app_types,
        effect=own.effect or around.effect,
    )


def _alternatives(annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for inner in get_args(annotation):
            yield from _alternatives(inner)
    elif annotation is not NoneType:
        yield annotation


def _hints(info: FieldInfo) -> Iterator[Hint]:
    nested = (get_args(inner) for inner in get_args(info.annotation) if get_origin(inner) is Annotated)
    for rule in (*info.metadata, *(rule for rules in nested for rule in rules)):
        if isinstance(rule, Hint):
            yield rule


def _items(kind: Any) -> list[Any]:
    return list(_alternatives(get_args(kind)[0])) if get_origin(kind) is tuple else []


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)


def _is_section_array(kind: Any) -> bool:
    return any(_is_section(item) for item in _items(kind))


def _type(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"{_type(_items(kind)[0])}[]"
    if get_origin(kind) is dict or _is_section(kind):
        return "object"
    if get_origin(kind) is Literal:
        return "string"
    return {bool: "boolean", int: "number", float: "number", str: "string"}.get(kind, "unknown")


def _enum(kind: Any) -> tuple[str, ...]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(word for item in _items(kind) for word in _enum(item))


def _bound(info: FieldInfo, name: str) -> float | None:
    return next((getattr(rule, name) for rule in info.metadata if hasattr(rule, name)), None)
