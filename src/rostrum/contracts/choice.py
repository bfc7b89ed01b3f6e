"""Selects the one model that a value is validated with, so that one mistake results in one problem.

pydantic names the chosen branch in an error's location. Branches are named with negative numbers here: they cannot be
confused with an index or a member of a document.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict, TypeVar, get_args, get_origin

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import (
    PlainValidatorFunctionSchema,
    TaggedUnionSchema,
    ValidationInfo,
    custom_error_schema,
    literal_schema,
    simple_ser_schema,
    tagged_union_schema,
    typed_dict_field,
    typed_dict_schema,
    union_schema,
    with_info_plain_validator_function,
)

from rostrum.contracts.wording import alternatives, kind_of, quoted

T = TypeVar("T")

_KINDS = {bool: "boolean", str: "text", int: "number", float: "number", list: "list", dict: "object"}
_WORDS = {
    "boolean": ["true", "false"],
    "text": ["text"],
    "number": ["a number"],
    "list": ["a list"],
    "object": ["an object"],
}
# Input is distinguished by its content; output already has a type.
_AS_IT_IS = simple_ser_schema("any")


class _CustomError(TypedDict):
    custom_error_type: str
    custom_error_message: str
    custom_error_context: dict[str, str | int | float]


class _ByKind:
    """Selects one of several alternatives by the JSON type of the value."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        arms = {_kind(arm): arm for arm in get_args(source)}
        tags = {kind: -1 - place for place, kind in enumerate(arms)}
        facts: dict[str, str | int | float] = {
            "expected": alternatives([word for arm in arms.values() for word in _words(arm)])
        }
        error: _CustomError = {
            "custom_error_type": "expected",
            "custom_error_message": "has the wrong kind",
            "custom_error_context": facts,
        }

        def schema(arm: Any) -> CoreSchema:
            inner = handler.generate_schema(arm)
            # The message for an invalid word must list the other types as well.
            return custom_error_schema(inner, **error) if _literals(arm) else inner

        return tagged_union_schema(
            {tags[kind]: schema(arm) for kind, arm in arms.items()},
            lambda value: tags.get(kind_of(value) or ""),
            serialization=_AS_IT_IS,
            **error,
        )


OneOf = Annotated[T, _ByKind()]
"""``OneOf[bool | Literal["always"]]``: a value of one of several JSON kinds."""


class ByType:
    """Selects a model by the object's ``type``; a model that accepts any type gets the others."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Route objects without a valid ``type`` to a schema that reports exactly this."""
        # A single alternative is not a union.
        arms = get_args(source) or (source,)
        tags = {word: -1 - place for place, arm in enumerate(arms) for word in _type_words(arm)}
        lost = -1 - len(arms)
        other = next((-1 - place for place, arm in enumerate(arms) if not _type_words(arm)), lost)
        choices = {-1 - place: handler.generate_schema(arm) for place, arm in enumerate(arms)}
        choices[lost] = typed_dict_schema({"type": typed_dict_field(literal_schema(list(tags)))}, strict=True)

        def choose(value: Any) -> int:
            word = value.get("type") if isinstance(value, dict) else None
            return tags.get(word, other) if isinstance(word, str) else lost

        return tagged_union_schema(choices, choose, serialization=_AS_IT_IS)

    def __get_pydantic_json_schema__(
        self, core_schema: TaggedUnionSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Omit the branch of objects without a valid ``type``."""
        choices = dict(core_schema["choices"])
        choices.pop(min(choices))
        return handler({**core_schema, "choices": choices})


class BySibling:
    """Validates an object with the model for the member ``type``, which was read before it."""

    def __init__(self, shapes: Mapping[str, type[BaseModel]]) -> None:
        self._shapes = shapes
        self._distinct = list(dict.fromkeys(shapes.values()))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate only the JSON type if ``type`` itself is invalid."""
        arms = union_schema([handler.generate_schema(shape) for shape in self._distinct])
        return with_info_plain_validator_function(self._read, json_schema_input_schema=arms)

    def __get_pydantic_json_schema__(
        self, core_schema: PlainValidatorFunctionSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Use the same choice in schemas for input and output."""
        return handler(core_schema["json_schema_input_schema"])

    def move_to_conditions(self, schema: JsonSchemaValue, member: str) -> None:
        """Replace the choice in an object's JSON Schema by one rule for each ``type``."""
        arms = schema["properties"][member].pop("anyOf")
        schema["properties"][member]["type"] = "object"
        schema["allOf"] = [
            {
                "if": {"properties": {"type": {"const": word}}, "required": ["type"]},
                "then": {"properties": {member: arms[self._distinct.index(shape)]}},
            }
            for word, shape in self._shapes.items()
        ]

    def _read(self, value: Any, info: ValidationInfo) -> Any:
        shape = self._shapes.get(info.data.get("type", ""))
        if shape is not None:
            return shape.model_validate(value, context=info.context)
        if isinstance(value, dict):
            return value
        raise PydanticCustomError("expected", "has the wrong kind", {"expected": "an object"})


def _bare(annotation: Any) -> Any:
    return _bare(get_args(annotation)[0]) if get_origin(annotation) is Annotated else annotation


def _literals(annotation: Any) -> tuple[str, ...]:
    bare = _bare(annotation)
    return get_args(bare) if get_origin(bare) is Literal else ()


def _kind(annotation: Any) -> str:
    if _literals(annotation):
        return "text"
    bare = _bare(annotation)
    return _KINDS.get(get_origin(bare) or bare, "object")


def _words(annotation: Any) -> list[str]:
    return [quoted(word) for word in _literals(annotation)] or _WORDS[_kind(annotation)]


def _type_words(model: type[BaseModel]) -> tuple[str, ...]:
    return _literals(model.model_fields["type"].annotation)
