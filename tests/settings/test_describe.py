"""The descriptions made from the declarations: schema, reference page and form."""

import json
import re
from typing import Any

import pytest

from rostrum.settings.catalogue import catalogue
from rostrum.settings.describe import form, reference
from rostrum.settings.json_schema import json_schema
from rostrum.settings.kinds import SettingsFile, kind_of
from rostrum.settings.parse import parse_system
from rostrum.settings.scope import Stream
from tests.settings.samples import full

jsonschema_rs = pytest.importorskip("jsonschema_rs")


def _property(schema: dict[str, Any], path: str) -> dict[str, Any]:
    for name in path.split("."):
        schema = schema["properties"][name]
    return schema


@pytest.mark.parametrize("kind", SettingsFile)
def test_each_schema_is_a_valid_schema(kind: SettingsFile) -> None:
    jsonschema_rs.meta.validate(json_schema(kind))


@pytest.mark.parametrize("kind", SettingsFile)
@pytest.mark.parametrize("stream", Stream)
def test_a_document_with_every_setting_follows_its_schema(kind: SettingsFile, stream: Stream) -> None:
    jsonschema_rs.Draft202012Validator(json_schema(kind)).validate(full(kind, stream))


@pytest.mark.parametrize(
    "document",
    [
        {"splash": {"timout": 1}},
        {"windowManagement": {"snapping": {"edgeDistance": 1}}},
        {"appStores": [{"type": "rest", "details": {"path": "a"}}]},
        {"searchProvider": {"types": ["file"]}},
        {"autoUpdater": {}},
        {"splash": {"width": -1}},
        {"layouts": {"splash": {"width": -1}}},
        {"gw": {"configuration": {"port": 65536}}},
        {"channels": {"definitions": [{"name": "A", "meta": {"color": "#1"}}]}},
    ],
)
def test_the_schema_refuses_what_reading_reports(document: Any) -> None:
    assert not jsonschema_rs.Draft202012Validator(json_schema(SettingsFile.SYSTEM)).is_valid(document)
    assert parse_system(document, strict=True).errors != ()


def test_the_schema_carries_the_rules_of_use() -> None:
    schema = json_schema(SettingsFile.SYSTEM)
    assert _property(schema, "windowManagement.snapToScreenEdges.distance") == {
        "description": "Distance from the edge of the screen at which windows snap.",
        "type": "number",
        "default": 20,
        "minimum": 5,
        "maximum": 30,
        "x-unit": "px",
        "x-since": "9.3",
        "x-appTypes": ["window"],
    }
    assert _property(schema, "splash.url")["x-localOnly"] is True
    assert _property(schema, "spellchecker.enabled")["x-reapplied"] is True
    assert _property(schema, "autoUpdater.enabled")["x-stream"] == "10.x"
    assert _property(schema, "windowManagement.transparencyControl.mode")["x-mode"] == "advanced"
    assert _property(schema, "windowManagement.group.type")["x-defaultByMode"] == {"advanced": "Classic"}


def test_the_reference_page_has_a_row_for_each_setting() -> None:
    page = reference()
    for kind in SettingsFile:
        for path, one in catalogue(kind).items():
            assert one.container or f"| `{path}` |" in page


CONTROLS = {"switch", "number", "text", "choice", "choices", "list", "map", "items", "json"}
"""The controls of the admin UI."""


@pytest.mark.parametrize("kind", SettingsFile)
def test_each_setting_has_a_control_and_facts(kind: SettingsFile) -> None:
    described = json.loads(json.dumps(form(kind)))
    fields = {field["path"]: field for section in described["sections"] for field in section["fields"]}
    settings = {path: one for path, one in catalogue(kind).items() if not one.container}
    assert sorted(fields) == sorted(path for path in settings if "[]" not in path)
    for path, field in fields.items():
        assert field["control"] in CONTROLS
        assert field["label"]
        assert field["text"] == settings[path].text != ""
        assert field["default"] == settings[path].default
        assert field.get("unit") == settings[path].unit
        assert field.get("since") == settings[path].since
        assert (field["control"] in ("choice", "choices")) == bool(settings[path].enum)
        # Values of free form are edited as JSON; all others have a control of their own.
        assert field["control"] != "json" or settings[path].type in ("unknown", "object[]", "string[] | object")
    for path in settings:
        if "[]" in path:
            assert fields[path.split("[]")[0]]["control"] in ("items", "json")


def test_a_field_of_the_form_describes_how_to_edit_it() -> None:
    fields = {field["path"]: field for section in form()["sections"] for field in section["fields"]}
    distance = fields["windowManagement.snapping.edgeDistance"]
    assert (distance["label"], distance["control"], distance["unit"]) == ("Snapping › Edge distance", "number", "px")
    assert (distance["minimum"], distance["maximum"]) == (2, 10)
    assert (fields["splash.url"]["localOnly"], fields["spellchecker.enabled"]["reapplied"]) == (True, True)
    assert fields["autoUpdater.enabled"]["counts"][:2] == ["since 10.0", "10.x stream"]
    assert fields["windowManagement.group.type"]["defaultByMode"] == {"advanced": "Classic"}
    assert "apps of type window" in fields["windowManagement.snapToScreenEdges.distance"]["counts"]
    assert fields["layouts.store.type"]["control"] == "choice"
    assert fields["layouts.store.type"]["choices"] == ["file", "rest", "server"]
    assert fields["layouts.store.restURL"]["label"] == "Store › REST URL"


def test_simple_items_are_edited_in_columns_and_others_as_json() -> None:
    fields = {field["path"]: field for section in form()["sections"] for field in section["fields"]}
    columns = [(column["path"], column["control"]) for column in fields["channels.definitions"]["columns"]]
    assert columns == [("name", "text"), ("meta.color", "text")]
    assert (fields["envVars.set"]["control"], fields["appStores"]["control"]) == ("map", "json")


@pytest.mark.parametrize(
    ("kind", "file"),
    [(SettingsFile.SYSTEM, "system-eu.json"), (SettingsFile.GILDING, "gilding.json"), (SettingsFile.ENV, "env.json")],
)
def test_the_form_names_the_files_that_it_edits(kind: SettingsFile, file: str) -> None:
    assert kind_of(file) is kind
    assert re.fullmatch(form(kind)["files"], file)
