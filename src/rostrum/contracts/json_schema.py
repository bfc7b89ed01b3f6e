"""The JSON Schemas of files with apps, layouts and preferences."""

from typing import Any

from rostrum.contracts.apps.definition import AppDefinition
from rostrum.contracts.layouts.layout import Layout
from rostrum.contracts.preferences import AppPreferences
from rostrum.contracts.shape import Open, Shape

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def application_schema() -> dict[str, Any]:
    """Return the schema of a file with one app definition or a list."""
    return _one_or_many("application", AppDefinition)


def layout_schema() -> dict[str, Any]:
    """Return the schema of a file with one layout or a list."""
    return _one_or_many("layout", Layout)


def preferences_schema() -> dict[str, Any]:
    """Return the schema of a file with the preferences of one app or a list."""
    return _one_or_many("preferences", AppPreferences)


def _one_or_many(title: str, shape: type[Shape]) -> dict[str, Any]:
    body = shape.model_json_schema()
    others = body.pop("$defs", {})
    if issubclass(shape, Open):
        body["properties"] = {"$schema": {"type": "string"}, **body["properties"]}
    one = {"$ref": f"#/$defs/{shape.__name__}"}
    return {
        "$schema": _DRAFT,
        "title": title,
        "if": {"type": "array"},
        "then": {"type": "array", "items": one, "minItems": 1},
        "else": one,
        "$defs": {shape.__name__: body, **others},
    }
