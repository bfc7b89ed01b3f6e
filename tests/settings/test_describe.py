"""The descriptions made from the declarations: schema, reference page and form."""

import json
from typing import Any

import pytest

from rostrum.settings.catalogue import catalogue
from rostrum.settings.describe import form, reference
from rostrum.settings.json_schema import json_schema
from rostrum.settings.kinds import SettingsFile
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
        "description": "Distance at which windows snap to an edge.",
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


@pytest.mark.parametrize("kind", SettingsFile)
def test_the_form_has_a_field_for_each_setting(kind: SettingsFile) -> None:
    described = json.loads(json.dumps(form(kind)))
    paths = [field["path"] for section in described["sections"] for field in section["fields"]]
    assert sorted(paths) == sorted(path for path, one in catalogue(kind).items() if not one.container)


def test_a_field_of_the_form_describes_how_to_edit_it() -> None:
    fields = {field["path"]: field for section in form()["sections"] for field in section["fields"]}
    distance = fields["windowManagement.snapping.edgeDistance"]
    assert (distance["label"], distance["kind"], distance["range"], distance["unit"]) == (
        "Edge distance",
        "number",
        [2, 10],
        "px",
    )
    assert (fields["splash.url"]["localOnly"], fields["spellchecker.enabled"]["reapplied"]) == (True, True)
    assert (fields["autoUpdater.enabled"]["since"], fields["autoUpdater.enabled"]["stream"]) == ("10.0", "10.x")
    assert fields["windowManagement.transparencyControl.mode"]["mode"] == "advanced"
    assert fields["windowManagement.snapToScreenEdges.distance"]["appTypes"] == ["window"]
    assert fields["layouts.store.type"]["kind"] == "choice"
    assert fields["layouts.store.type"]["choices"] == ["file", "rest", "server"]
    assert fields["layouts.store.restURL"]["label"] == "Rest URL"
