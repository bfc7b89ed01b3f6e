"""Open and closed JSON objects of contracts, and the declaration of their members."""

from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeVar, Union, get_args

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from pydantic_core.core_schema import ValidationInfo

from rostrum.contracts.validation_messages import Inspection, charge

T = TypeVar("T")


class _Absent:
    """Allows a member to be missing, but not null, which is only valid with a default."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        kept = tuple(arm for arm in get_args(source) if arm is not NoneType)
        return handler(Union[kept])  # noqa: UP007  the arms are known only here


Maybe = Annotated[T | None, _Absent()]
"""An optional member without a default; None if it is missing."""


def member(
    description: str,
    *,
    default: Any = None,
    of: "type[Shape] | None" = None,
    alias: str | None = None,
    deprecated: bool = False,
) -> Any:
    """Declare a member that may be missing; without a default it is a ``Maybe``.

    A default of an object type is written as JSON, with ``of`` as the type.
    """
    about: dict[str, Any] = {"deprecated": True} if deprecated else {}
    if of is None:
        return Field(default=default, alias=alias, description=description, json_schema_extra=about or None)
    return Field(
        # Parsed once: the library would copy and validate the default for each document.
        default_factory=cache(lambda: of.model_validate(default)),
        alias=alias,
        description=description,
        json_schema_extra={**about, "default": default},
    )


class Shape(BaseModel):
    """A JSON object with named members, validated strictly, without type conversions."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        defer_build=True,
        alias_generator=to_camel,
        serialize_by_alias=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Omit missing defaults, and titles that only repeat the name."""
        reference = handler(core_schema)
        for declared in handler.resolve_ref_schema(reference).get("properties", {}).values():
            declared.pop("title", None)
            if declared.get("default", ...) is None:
                del declared["default"]
        return reference


class Open(Shape):
    """An object that may have unknown members, which are stored but not validated."""

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="before")
    @classmethod
    def _read_blank_as_default(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, dict):
            return data
        names = _names(cls)
        charge(info.context, len(names.required) + min(len(data), len(names.known)))
        values = data.values()
        if None not in values and "" not in values:
            return data
        return {
            name: value
            for name, value in data.items()
            if name not in names.defaulted or (value is not None and value != "")
        }


class Closed(Shape):
    """An object without unknown members."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _note_known_names(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, dict):
            return data
        names = _names(cls)
        charge(info.context, len(names.required) + len(data))
        if isinstance(info.context, Inspection) and not data.keys() <= names.known:
            info.context.names[id(data)] = names.known
        return data


def json_name(shape: type[Shape], field: str) -> str:
    return shape.model_fields[field].alias or to_camel(field)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    known: frozenset[str]
    required: frozenset[str]
    defaulted: frozenset[str]


@cache
def _names(shape: type[Shape]) -> _Names:
    fields = {json_name(shape, name): field for name, field in shape.model_fields.items()}
    required = frozenset(name for name, field in fields.items() if field.is_required())
    return _Names(
        known=frozenset(fields),
        required=required,
        defaulted=frozenset(name for name, field in fields.items() if field.default is not None) - required,
    )
