"""The declaration of an option of the manager, and its description."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import Struct
from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo

MASK = "••••"


class ValueType(StrEnum):
    """The JSON type of an option's value."""

    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    ARRAY = "array"
    OBJECT = "object"


class Mask(Struct, frozen=True):
    """Marks a value type of which a part must not be shown."""

    hide: Callable[[str], str]


class TypeWords(Struct, frozen=True):
    """Describes a value type whose Python type is not sufficient."""

    words: str


class OptionInfo(Struct, frozen=True, kw_only=True):
    """The declaration of one option.

    Attributes:
        env_file: the variable with the path of a file that contains the value.
        property: the path of the option in the configuration file, ``token.secret``.
        names: both names, because people may know only one of them.
        type: the type in words, with the allowed values or range.
        members: the members of an object's type, empty for other types.
        example: a JSON value for messages about a required option.
        mask: the function that hides the secret part of a value.
    """

    field: str
    env: str
    env_file: str
    property: str
    names: str
    kind: ValueType
    type: str
    default: Any
    required: bool
    text: str
    unit: str | None
    since: str | None
    secret: bool
    example: Any
    members: tuple[str, ...]
    mask: Callable[[str], str] | None


def option(
    default: Any,
    text: str,
    *,
    env: str,
    prop: str,
    secret: bool = False,
    unit: str | None = None,
    since: str | None = None,
    example: Any = None,
    **constraints: Any,
) -> Any:
    """Declare one option; ``...`` as default makes it required."""
    extra = {
        "x-env": env,
        "x-property": prop,
        "x-secret": secret,
        "x-unit": unit,
        "x-since": since,
        "x-example": example,
    }
    constraints.setdefault("repr", not secret)
    return Field(default, description=text, json_schema_extra=extra, **constraints)


def option_infos(model: type[BaseModel]) -> dict[str, OptionInfo]:
    """Read the declarations of a model, by field name and in order."""
    return {name: _info(name, field) for name, field in model.model_fields.items()}


def _info(name: str, field: FieldInfo) -> OptionInfo:
    extra = field.json_schema_extra
    if not isinstance(extra, dict):
        raise TypeError(f"{name} is not declared with option()")
    env, prop, secret = str(extra["x-env"]), str(extra["x-property"]), bool(extra["x-secret"])
    return OptionInfo(
        field=name,
        env=env,
        env_file=f"{env}_FILE",
        property=prop,
        names=f"{prop} ({env})",
        kind=_kind(field.annotation),
        type=_type_text(field),
        default=None if field.is_required() else field.default,
        required=field.is_required(),
        text=field.description or "",
        unit=_text_or_none(extra["x-unit"]),
        since=_text_or_none(extra["x-since"]),
        secret=secret,
        example=extra["x-example"],
        members=_members(field.annotation),
        mask=_hide_all if secret else _mask(field),
    )


def _plain_type(annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        inner = [arg for arg in get_args(annotation) if arg is not type(None)]
        return _plain_type(inner[0])
    return annotation


def _kind(annotation: Any) -> ValueType:
    plain = _plain_type(annotation)
    if get_origin(plain) is tuple:
        return ValueType.ARRAY
    if not isinstance(plain, type):
        return ValueType.STRING
    known = {bool: ValueType.BOOLEAN, int: ValueType.NUMBER, BaseModel: ValueType.OBJECT}
    return next((known[base] for base in plain.__mro__ if base in known), ValueType.STRING)


def _type_text(field: FieldInfo) -> str:
    kind = _kind(field.annotation)
    if kind is ValueType.ARRAY:
        return "array of strings"
    if kind is ValueType.NUMBER:
        return f"{_number_text(field)}{_range_text(field)}"
    plain = _plain_type(field.annotation)
    if plain is Path:
        return _words(field) or "path of a file"
    choices = [f"`{choice}`" for choice in get_args(plain)]
    return " or ".join(choices) if choices else kind.value


def _number_text(field: FieldInfo) -> str:
    extra = field.json_schema_extra
    unit = extra["x-unit"] if isinstance(extra, dict) else None
    return f"number of {unit}" if unit else "whole number"


def _range_text(field: FieldInfo) -> str:
    low = _constraint(field, "ge")
    high = _constraint(field, "le")
    if low is not None and high is not None:
        return f", {low} to {high}"
    return "" if low is None else f", {low} or more"


def _constraint(field: FieldInfo, name: str) -> int | None:
    return next((getattr(m, name) for m in field.metadata if hasattr(m, name)), None)


def _words(field: FieldInfo) -> str | None:
    # The description of an optional type is inside the union.
    inner = [arg for arg in get_args(field.annotation) if get_origin(arg) is Annotated]
    marks = [*field.metadata, *(mark for arg in inner for mark in get_args(arg)[1:])]
    return next((mark.words for mark in marks if isinstance(mark, TypeWords)), None)


def _members(annotation: Any) -> tuple[str, ...]:
    plain = _plain_type(annotation)
    if _kind(plain) is not ValueType.OBJECT:
        return ()
    return tuple(info.alias or name for name, info in plain.model_fields.items())


def _mask(field: FieldInfo) -> Callable[[str], str] | None:
    return next((m.hide for m in field.metadata if isinstance(m, Mask)), None)


def _hide_all(_: str) -> str:
    return MASK


def _text_or_none(value: Any) -> str | None:
    return None if value is None else str(value)
