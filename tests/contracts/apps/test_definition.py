"""The app definition as a model and as JSON Schema."""

import json
from typing import Any

import pytest

from rostrum.contracts.apps import DETAILS, AppDefinition
from rostrum.contracts.apps.window import WindowDetails

SCHEMA = AppDefinition.model_json_schema()


def details_schema(kind: str) -> dict[str, Any]:
    (rule,) = [rule for rule in SCHEMA["allOf"] if rule["if"]["properties"]["type"]["const"] == kind]
    reference = rule["then"]["properties"]["details"]["$ref"]
    found: dict[str, Any] = SCHEMA["$defs"][reference.removeprefix("#/$defs/")]
    return found


def test_reading_gives_details_of_the_right_kind_with_defaults() -> None:
    app = AppDefinition.model_validate({"type": "WINDOW", "name": "clock", "details": {"url": "u", "mode": "Html"}})

    assert app.type == "window"
    assert isinstance(app.details, WindowDetails)
    assert (app.details.mode, app.details.width, app.details.docking.enabled) == ("html", 400, False)
    assert app.version is None


def test_what_was_read_can_be_written_again() -> None:
    definition = {
        "type": "window",
        "name": "clock",
        "details": {"url": "u", "onTop": "always", "startLocation": {"stuck": True}, "preloadScripts": ["a.js"]},
        "requiresSSO": True,
        "runPriority": {"stage": "core"},
        "novelty": [1],
    }

    assert AppDefinition.model_validate(definition).model_dump(exclude_unset=True) == definition


def test_the_schema_asks_for_what_is_required() -> None:
    assert SCHEMA["required"] == ["type", "name", "details"]
    assert details_schema("window")["required"] == ["url"]
    assert "required" not in details_schema("citrix")


@pytest.mark.parametrize("kind", DETAILS)
def test_the_schema_has_a_rule_for_each_type(kind: str) -> None:
    assert details_schema(kind)["properties"]


def test_the_schema_shows_defaults_enums_and_descriptions() -> None:
    window = details_schema("window")["properties"]

    assert window["width"] == {"type": "integer", "default": 400, "description": "Start width, px."}
    assert window["mode"]["enum"] == ["flat", "tab", "html", "frameless"]
    assert window["docking"]["default"] == {"enabled": False}
    assert window["onTop"]["oneOf"] == [{"type": "boolean"}, {"type": "string", "const": "always"}]
    assert window["tabTitle"]["deprecated"] is True
    assert details_schema("exe")["properties"]["trackingType"]["default"] == "Process"
    assert details_schema("citrix")["properties"]["startingContextMode"]["default"] == "interopCmdLine"


def test_the_schema_shows_no_default_where_there_is_none() -> None:
    assert '"default": null' not in json.dumps(SCHEMA)
    assert "default" not in SCHEMA["properties"]["version"]


def test_intents_are_closed_and_the_rest_is_open() -> None:
    closed = [name for name, shape in SCHEMA["$defs"].items() if shape.get("additionalProperties") is False]

    assert closed == ["Intent"]
    assert SCHEMA["additionalProperties"] is True


def test_the_schema_of_what_is_written_can_be_made_too() -> None:
    assert AppDefinition.model_json_schema(mode="serialization")["allOf"]
