"""The JSON Schemas fit the documents that are taken, and refuse what is refused."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import rostrum.manager.demo
from rostrum.base.json5_text import parse
from rostrum.cli.schemas import Document, schema_of
from rostrum.contracts.apps import check_app
from rostrum.contracts.layouts import check_layout
from rostrum.manager.config import starter_document
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.scope import Stream
from tests.contracts.apps.test_definition import SMALLEST
from tests.manager.config.samples import NEEDED, SAMPLES, document
from tests.settings.samples import full

ROOT = Path(__file__).parents[2]
DEMO = Path(rostrum.manager.demo.__file__).parent / "content"


def demo(name: str) -> list[Any]:
    content: list[Any] = json.loads((DEMO / f"{name}.json").read_text(encoding="utf-8"))
    return content


@cache
def validator(document: Document) -> Any:
    return jsonschema_rs.Draft202012Validator(schema_of(document))


def fits(document: Document, value: Any) -> bool:
    return bool(validator(document).is_valid(value))


@pytest.mark.parametrize("document", Document)
def test_each_is_a_schema_and_the_one_in_the_repository(document: Document) -> None:
    jsonschema_rs.meta.validate(schema_of(document))
    written = (ROOT / "schemas" / f"{document}.schema.json").read_text(encoding="utf-8")
    assert json.loads(written) == schema_of(document)


def test_the_apps_of_the_demo_fit() -> None:
    definitions = [entry["definition"] for entry in demo("apps")]
    assert len(definitions) > 20
    assert [one["name"] for one in definitions if not fits(Document.APPLICATION, one)] == []
    assert fits(Document.APPLICATION, definitions)


@pytest.mark.parametrize(("kind", "details"), SMALLEST.items())
def test_the_smallest_app_of_each_type_fits(kind: str, details: dict[str, Any]) -> None:
    assert fits(Document.APPLICATION, {"$schema": "x", "type": kind, "name": "app", "details": details, "mine": 1})


@pytest.mark.parametrize(
    "app",
    [
        {"type": "window", "name": "app", "details": {}},
        {"type": "window", "name": "app"},
        {"type": "windows", "name": "app", "details": {"url": "x"}},
        {"type": "window", "name": "app", "details": {"url": "x", "width": "wide"}},
        {"type": "window", "name": "app", "details": {"url": 5}},
    ],
)
def test_an_app_that_is_refused_does_not_fit(app: Any) -> None:
    assert check_app(app) != []
    assert not fits(Document.APPLICATION, app)
    assert not fits(Document.APPLICATION, [app])


def test_an_empty_list_is_no_file_of_apps() -> None:
    assert not fits(Document.APPLICATION, [])


def test_the_layouts_of_the_demo_fit() -> None:
    definitions = [entry["definition"] for entry in demo("layouts")]
    assert len(definitions) > 10
    assert [one["name"] for one in definitions if not fits(Document.LAYOUT, one)] == []


@pytest.mark.parametrize(
    "change", [{"type": "ActivityLayout"}, {"components": {}}, {"surprise": 1}, {"name": ""}, {"displays": [1]}]
)
def test_a_layout_that_is_refused_does_not_fit(change: dict[str, Any]) -> None:
    layout = {**demo("layouts")[0]["definition"], **change}
    assert check_layout(layout) != []
    assert not fits(Document.LAYOUT, layout)


def test_the_preferences_of_the_demo_fit_and_others_do_not() -> None:
    assert [one for one in demo("preferences") if not fits(Document.PREFERENCES, one)] == []
    assert not fits(Document.PREFERENCES, {"data": {}})
    assert not fits(Document.PREFERENCES, {"app": "a", "data": []})


def test_the_configuration_files_of_the_demo_fit() -> None:
    documents = [one["contents"] for one in demo("configs") if one["file"] == "system.json"]
    assert documents
    assert [one for one in documents if not fits(Document.SYSTEM, one)] == []


@pytest.mark.parametrize("document", [Document.SYSTEM, Document.GILDING, Document.ENV])
def test_a_file_with_every_setting_fits(document: Document) -> None:
    assert fits(document, {"$schema": "x", **full(SettingsFile[document.name], Stream.V9)})


def test_what_a_file_of_an_existing_installation_holds_beyond_the_catalogue_does_not_fit() -> None:
    existing = parse((ROOT / "tests" / "data" / "existing" / "system.json").read_bytes()).value
    assert not fits(Document.SYSTEM, existing)


@pytest.mark.usual(27)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_option_of_the_manager_fits(name: str) -> None:
    sample = SAMPLES[name]
    # Editors offer the usual spelling of a word, the server takes any.
    value = sample.expected if isinstance(sample.expected, str) else sample.value
    assert fits(Document.MANAGER, document(**{**NEEDED, **sample.beside, name: value}))


def test_the_file_that_a_manager_starts_with_fits() -> None:
    starter = starter_document("http://127.0.0.1:4356", "s" * 40, "sqlite:///x.db", users=["admin:secret"])
    assert fits(Document.MANAGER, {"$schema": "x", **starter})
    for wrong in ({"port": "4356"}, {"prot": 1}, {"auth_method": "okta"}, {"cors": {"origins": "x"}}):
        assert not fits(Document.MANAGER, {**starter, **wrong})


def test_the_schema_of_the_manager_describes_other_ways_to_set_an_option() -> None:
    lifetime = schema_of(Document.MANAGER)["properties"]["auth_basic"]["properties"]["sessionLifetime"]
    assert (lifetime["x-env"], lifetime["x-since"]) == ("API_AUTH_METHOD_BASIC_SESSION_LIFETIME", "2.1")
    assert schema_of(Document.MANAGER)["properties"]["token"]["properties"]["secret"]["writeOnly"] is True
