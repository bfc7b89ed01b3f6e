"""The layout as a model and as JSON Schema."""

import json
from typing import Any

import pytest

from rostrum.contracts.layouts import STATES, Component, Layout
from rostrum.contracts.layouts.workspace import WorkspaceState

SCHEMA = Layout.model_json_schema()


def test_reading_gives_states_of_the_right_kind() -> None:
    layout = Layout.model_validate(
        {"name": "a", "type": "Workspace", "components": [{"type": "Workspace", "state": {"children": []}}]}
    )

    (component,) = layout.components
    assert isinstance(component, Component)
    assert isinstance(component.state, WorkspaceState)
    assert layout.token is None


def test_what_was_read_can_be_written_again() -> None:
    leaf = {"type": "window", "config": {"appName": "clock"}}
    tree = {"type": "row", "children": [leaf, {"type": "group", "children": [leaf]}]}
    layout = {"name": "a", "type": "Workspace", "components": [{"type": "Workspace", "state": {"children": [tree]}}]}

    assert Layout.model_validate(layout).model_dump(exclude_unset=True) == layout


def test_the_schema_is_closed_where_the_format_is() -> None:
    opened = {name for name, shape in SCHEMA["$defs"].items() if shape.get("additionalProperties") is not False}

    assert opened == {"Display", "Lane", "OtherComponent", "SwimlaneItem", "WindowConfig"}
    assert SCHEMA["additionalProperties"] is False


def test_the_schema_asks_for_what_is_required() -> None:
    assert SCHEMA["required"] == ["name", "type", "components"]
    assert SCHEMA["$defs"]["WorkspaceState"]["required"] == ["children"]
    assert SCHEMA["$defs"]["SwimlaneState"]["required"] == ["canvas", "lastSaveTime"]


@pytest.mark.parametrize("kind", STATES)
def test_the_schema_has_a_rule_for_each_type_of_component(kind: str) -> None:
    rules: dict[str, Any] = {
        rule["if"]["properties"]["type"]["const"]: rule["then"]["properties"]["state"]["$ref"]
        for rule in SCHEMA["$defs"]["Component"]["allOf"]
    }

    assert rules[kind] == f"#/$defs/{STATES[kind].__name__}"


def test_the_schema_of_a_tree_offers_its_four_parts_only() -> None:
    parts = SCHEMA["$defs"]["WorkspaceBox"]["properties"]["children"]["items"]["oneOf"]

    assert [part["$ref"].rsplit("/")[-1] for part in parts] == ["WorkspaceBox", "WorkspaceGroup", "WorkspaceWindow"]


def test_the_schema_shows_enums_and_descriptions_and_no_empty_defaults() -> None:
    assert "ApplicationDefault" in SCHEMA["properties"]["type"]["enum"]
    assert SCHEMA["properties"]["token"]["description"]
    assert '"default"' not in json.dumps(SCHEMA)
