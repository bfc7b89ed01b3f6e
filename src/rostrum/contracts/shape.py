"""The two kinds of JSON objects in a contract, open and closed, and how their members are declared."""

from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeVar, Union, get_args

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import ValidationInfo

from rostrum.contracts.inspection import Inspection

__all__ = ["Closed", "Maybe", "Open", "Shape", "json_name", "member"]

_MOST_MEMBERS = 1000

T = TypeVar("T")


class _Absent:
    """Lets a member be missing, but not null: only a default gives null a meaning."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        kept = tuple(arm for arm in get_args(source) if arm is not NoneType)
        return handler(Union[kept])  # noqa: UP007  the arms are known only here


Maybe = Annotated[T | None, _Absent()]
"""A member that may be missing and has no default; reads as None then."""


def member(description: str, *, default: Any = None, alias: str | None = None, deprecated: bool = False) -> Any:
    """Declare a member that may be missing; without a default it is a ``Maybe``."""
    return Field(
        default=default,
        # A default written as JSON has to become the model it stands for.
        validate_default=isinstance(default, dict),
        alias=alias,
        description=description,
        json_schema_extra={"deprecated": True} if deprecated else None,
    )


class Shape(BaseModel):
    """A JSON object with named members, read strictly: nothing is turned into another type."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        defer_build=True,
        alias_generator=to_camel,
        serialize_by_alias=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Show no default where there is none."""
        reference = handler(core_schema)
        for declared in handler.resolve_ref_schema(reference).get("properties", {}).values():
            if declared.get("default", ...) is None:
                del declared["default"]
        return reference


class Open(Shape):
    """An object that may hold members we do not know; they are kept and not looked at."""

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="before")
    @classmethod
    def _read_blank_as_default(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        defaults = _defaulted(cls)
        blank = [name for name, value in data.items() if (value is None or value == "") and name in defaults]
        return {name: value for name, value in data.items() if name not in blank} if blank else data


class Closed(Shape):
    """An object that may hold the members we know and no others."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _note_known_names(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, dict):
            return data
        if len(data) > _MOST_MEMBERS:
            raise PydanticCustomError("too_wide", "has too many members", {"found": len(data), "most": _MOST_MEMBERS})
        known = _known(cls)
        if isinstance(info.context, Inspection) and not data.keys() <= known:
            info.context.names[id(data)] = known
        return data


def json_name(shape: type[Shape], field: str) -> str:
    """Answer the name a field has in JSON."""
    return shape.model_fields[field].alias or to_camel(field)


@cache
def _known(shape: type[Shape]) -> frozenset[str]:
    return frozenset(json_name(shape, field) for field in shape.model_fields)


@cache
def _defaulted(shape: type[Shape]) -> frozenset[str]:
    fields = shape.model_fields.items()
    return frozenset(
        json_name(shape, name) for name, field in fields if not field.is_required() and field.default is not None
    )
