"""Every member of a page's definition is decided: it reaches further than the page, or it does not."""

from collections.abc import Iterator
from typing import Any

import pytest

from rostrum.contracts.addresses import PAGE_TYPES
from rostrum.contracts.apps import DETAILS, AppDefinition
from rostrum.contracts.far_reaching import AUTHORS_ONLY, FAR_REACHING, far_reaching_members
from rostrum.contracts.own_page import OWN_PAGE, OWN_PAGE_DETAILS, own_page


def members(schema: dict[str, Any], shapes: dict[str, Any], prefix: str, around: frozenset[str]) -> Iterator[str]:
    """Yield the paths of all declared members, also of those inside others; a shape inside itself only once."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in around:
            return
        schema, around = shapes[name], around | {name}
    for name, inner in schema.get("properties", {}).items():
        yield f"{prefix}{name}"
        yield from members(inner, shapes, f"{prefix}{name}.", around)
    further = [inner for key in ("anyOf", "oneOf", "allOf") for inner in schema.get(key, ())]
    for inner in (*further, schema.get("items")):
        if isinstance(inner, dict):
            yield from members(inner, shapes, prefix, around)


def declared() -> set[str]:
    schema = AppDefinition.model_json_schema()
    outer = {name: one for name, one in schema["properties"].items() if name != "details"}
    found = set(members({"properties": outer}, schema["$defs"], "", frozenset()))
    for kind, shape in DETAILS.items():
        if kind.lower() in PAGE_TYPES:
            schema = shape.model_json_schema()
            found |= set(members(schema, schema["$defs"], "details.", frozenset()))
    return found


@pytest.mark.long
def test_each_member_is_decided() -> None:
    known = declared()
    own = {*OWN_PAGE, *(f"details.{one}" for one in OWN_PAGE_DETAILS)}
    harmless = own | AUTHORS_ONLY
    further = {
        path
        for path in known
        if any(path == one or path.startswith(f"{one}.") or one.startswith(f"{path}.") for one in FAR_REACHING)
    }
    assert known - further - harmless == set(), "decide whether these reach further than the page of the app"
    assert harmless - known == set()
    assert further & harmless == set()
    assert own & AUTHORS_ONLY == set()


@pytest.mark.parametrize("path", sorted(FAR_REACHING))
def test_each_listed_member_is_found(path: str) -> None:
    value: Any = {"sandbox": False, "webSecurity": False, "action": "ask"}.get(path.rpartition(".")[2], ["x"])
    for step in reversed(path.split(".")):
        value = {step: value}
    assert list(far_reaching_members({"type": "window", **value})) == [path]


def test_a_definition_of_others_keeps_listed_members_only() -> None:
    layouts = [{"children": [{"type": "row", "children": [{"type": "row", "children": [{"appName": "a"}]}]}]}]
    allowed: dict[str, Any] = {
        "name": "page",
        "type": "window",
        "customProperties": {"any": {"thing": 1}},
        "intents": [{"name": "ViewChart", "contexts": ["fdc3.instrument"]}],
        "details": {"url": "https://page.example", "width": 400, "search": {"enabled": True}, "layouts": layouts},
    }
    assert own_page(allowed) == (allowed, ())
    more = {
        **allowed,
        "allowCapture": True,
        "later": 1,
        "intents": [{**allowed["intents"][0], "command": "x"}],
        "details": {
            **allowed["details"],
            "downloadSettings": {"path": "/etc"},
            "security": {"onCertificateError": {"action": "allow"}},
            "urlLoadOptions": {"extraHeaders": "X-A: b", "userAgent": "c"},
        },
    }
    kept, removed = own_page(more)
    assert kept["details"] == {
        **allowed["details"],
        "urlLoadOptions": {"userAgent": "c"},
    }
    assert set(removed) == {
        "allowCapture",
        "later",
        "intents.command",
        "details.downloadSettings",
        "details.security",
        "details.urlLoadOptions.extraHeaders",
    }


@pytest.mark.parametrize("path", sorted(AUTHORS_ONLY))
def test_a_definition_of_others_loses_what_only_authors_may_set(path: str) -> None:
    value: Any = "x"
    for step in reversed(path.split(".")):
        value = {step: value}
    assert path.rpartition(".")[2] not in str(own_page(value)[0])


@pytest.mark.parametrize("path", sorted(FAR_REACHING))
def test_no_listed_member_reaches_further(path: str) -> None:
    value: Any = {"sandbox": False, "webSecurity": False, "action": "ask"}.get(path.rpartition(".")[2], ["x"])
    for step in reversed(path.split(".")):
        value = {step: value}
    assert list(far_reaching_members(own_page({"type": "window", **value})[0])) == []
