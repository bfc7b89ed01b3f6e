"""Validators that only look: the rules of a shape, without building what it describes.

A definition of a window has 138 members, of which a usual one gives five. A model would fill in the others, at three
times the cost of looking at the five, for an object that nobody wants.
"""

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic_core import SchemaValidator

_NOT_LOOKED_AT = ("metadata", "serialization", "json_schema_input_schema")


@cache
def checker(shape: type[BaseModel]) -> SchemaValidator:
    """Make the validator of a shape once; what it returns is of no use, what it raises is pydantic's."""
    shape.model_rebuild()
    return SchemaValidator(_looking(shape.__pydantic_core_schema__, {}))


def _looking(schema: Any, config: dict[str, Any]) -> Any:
    """Turn every model in pydantic's description of a shape into a plain object with the same members."""
    if isinstance(schema, list):
        return [_looking(each, config) for each in schema]
    if not isinstance(schema, dict):
        return schema
    match schema.get("type"):
        case "model":
            inner = _looking(schema["schema"], schema["config"])
            return {**inner, "ref": schema["ref"]} if "ref" in schema else inner
        case "model-fields":
            return {
                "type": "typed-dict",
                "fields": {
                    field.get("validation_alias", name): _member(field, config)
                    for name, field in schema["fields"].items()
                },
                "extra_behavior": config.get("extra_fields_behavior", "ignore"),
                "config": {"strict": config.get("strict", False)},
            }
        case _:
            return {name: _looking(each, config) for name, each in schema.items() if name not in _NOT_LOOKED_AT}


def _member(field: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    inner, required = field["schema"], True
    if inner["type"] == "default":
        inner, required = inner["schema"], False
    return {"type": "typed-dict-field", "schema": _looking(inner, config), "required": required}
