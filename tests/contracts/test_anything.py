"""Whatever JSON comes in, a check reports and never raises."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.base.problems import Problem
from rostrum.contracts.apps import check_app
from rostrum.contracts.apps.definition import DETAILS, AppDefinition
from rostrum.contracts.fdc3 import Fdc3Record, check_record, is_fdc3_record, to_record
from rostrum.contracts.layouts import check_layout
from rostrum.contracts.layouts.layout import STATES, Component, Layout
from tests.contracts.walk import app_places, layout_places, members, record_places, smallest, state_places, top_places

WORDS = ["", "window", "exe", "citrix", "Workspace", "row", "group", "web", "Global", "always", "{}", "\ud800", "\0"]
CHECKS = (check_app, check_layout, check_record)

texts = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=()), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
without_database = settings(database=None, deadline=None)


def objects_of(shape: Any, inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Write objects with the members of a shape, filled with anything."""
    return st.dictionaries(st.sampled_from(sorted(members(shape))) | texts, inner, max_size=8)


def reports_only(document: Any) -> None:
    before = copy.deepcopy(document)
    for check in CHECKS:
        problems = check(document)
        assert all(isinstance(problem, Problem) and problem.message for problem in problems)
        assert len(problems) <= 101
    assert repr(document) == repr(before)


@pytest.mark.long
@given(json_values)
@without_database
def test_any_json_is_only_reported_on(document: object) -> None:
    reports_only(document)


@st.composite
def _filled_apps(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(sorted(DETAILS)))
    app = draw(objects_of(AppDefinition, json_values))
    return {**app, "type": kind, "details": draw(objects_of(DETAILS[kind], json_values))}


@st.composite
def _filled_layouts(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(sorted(STATES)))
    state = draw(objects_of(STATES[kind], json_values))
    component = draw(objects_of(Component, json_values))
    layout = draw(objects_of(Layout, json_values))
    return {**layout, "components": [{**component, "type": kind, "state": state}, component]}


PLACES = [
    *top_places(),
    *(place for kind in DETAILS for place in app_places(kind)),
    *layout_places(),
    *(place for kind in STATES for place in state_places(kind)),
    *record_places(),
]


filled_apps = _filled_apps()
filled_layouts = _filled_layouts()
filled_records = objects_of(Fdc3Record, json_values).map(lambda record: {**record, "appId": "app"})
anything_anywhere = st.builds(lambda place, value: place.build(value), st.sampled_from(PLACES), json_values)


@pytest.mark.long
@given(filled_apps | filled_layouts | filled_records)
@without_database
def test_documents_filled_with_anything_are_only_reported_on(document: object) -> None:
    reports_only(document)


@pytest.mark.long
@given(anything_anywhere)
@without_database
def test_anything_at_any_place_is_only_reported_on(document: object) -> None:
    reports_only(document)


@pytest.mark.long
@given(st.data())
@without_database
def test_every_definition_that_passes_becomes_a_record_that_passes(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(DETAILS)))
    launch = st.sampled_from(["url", "path", "command", "parameters", "name"])
    details = data.draw(st.dictionaries(launch, st.text(max_size=8)))
    app = {"type": kind, "name": "app", "details": {**smallest(DETAILS[kind]), **details}}
    if check_app(app):
        return

    record = to_record(app)

    assert is_fdc3_record(record)
    assert check_record(record) == []
