"""Every property of every model, found by looking at the models themselves."""

from collections.abc import Callable

import pytest

from rostrum.base.problems import Problem
from rostrum.contracts.apps import check_app
from rostrum.contracts.apps.definition import DETAILS
from rostrum.contracts.fdc3 import check_record
from rostrum.contracts.layouts import check_layout
from rostrum.contracts.layouts.layout import STATES
from tests.contracts.walk import (
    RECORD_DETAILS,
    Place,
    app_places,
    kinds,
    layout_places,
    record_details_places,
    record_places,
    right,
    state_places,
    top_places,
    words,
    wrong,
)

Check = Callable[[object], list[Problem]]

PARTS = {
    "app": (check_app, top_places()),
    **{f"app {kind}": (check_app, app_places(kind)) for kind in DETAILS},
    "layout": (check_layout, layout_places()),
    **{f"layout {kind}": (check_layout, state_places(kind)) for kind in STATES},
    "record": (check_record, record_places()),
    **{f"record {kind}": (check_record, record_details_places(kind)) for kind in RECORD_DETAILS},
}
every_part = pytest.mark.parametrize(("check", "places"), PARTS.values(), ids=PARTS)

ANY_CASE = {
    "type",
    "configMode",
    "details.mode",
    "details.windowStyle",
    "details.trackingType",
    "details.startingContextMode",
    "details.startLocation",
    "details.startLocation.location",
    "details.buttonsVisibility",
}


ANY_WORD = "components[0].type"
"""Layouts may hold components of types that other platforms have."""


def wrong_at(place: Place) -> list[object]:
    """Values that a place must refuse."""
    return [value for value in wrong(place.annotation) if place.path != ANY_WORD or not isinstance(value, str)]


def paths(problems: list[Problem]) -> list[str]:
    return [problem.path for problem in problems]


@every_part
def test_a_wrong_value_is_refused_at_its_place(check: Check, places: list[Place]) -> None:
    missed = [
        (place.path, value, problems)
        for place in places
        for value in wrong_at(place)
        if place.path not in paths(problems := check(place.build(value)))
    ]

    assert missed == []


@every_part
def test_one_mistake_gives_one_problem(check: Check, places: list[Place]) -> None:
    noisy = [
        (place.path, value, problems)
        for place in places
        # A wrong type takes away what the rest is measured by.
        if place.path != "type"
        for value in wrong_at(place)
        if len(problems := check(place.build(value))) != 1
    ]

    assert noisy == []


@every_part
def test_a_right_value_is_accepted(check: Check, places: list[Place]) -> None:
    refused = [
        (place.path, value, problems)
        for place in places
        # The other words of type ask for other details.
        if place.path not in ("type", "details", "components[0].state")
        for value in right(place.annotation)
        if (problems := check(place.build(value)))
    ]

    assert refused == []


@every_part
def test_the_default_is_accepted_and_null_and_the_empty_text_mean_it(check: Check, places: list[Place]) -> None:
    refused = [
        (place.path, value, problems)
        for place in places
        if place.has_default
        for value in (place.default, None, "")
        if (problems := check(place.build(value)))
    ]

    assert refused == []


@every_part
def test_null_is_refused_where_there_is_no_default(check: Check, places: list[Place]) -> None:
    accepted = [
        place.path
        for place in places
        if not place.has_default
        if len(kinds(place.annotation)) < 6
        if place.path not in paths(check(place.build(None)))
    ]

    assert accepted == []


@every_part
def test_every_property_is_described(check: Check, places: list[Place]) -> None:
    assert [place.path for place in places if not place.field.description] == []


@every_part
def test_words_are_matched_case_insensitively_only_where_the_rule_requires_it(
    check: Check, places: list[Place]
) -> None:
    wrongly_read = [
        (place.path, word)
        for place in places
        for word in words(place.annotation)[:1]
        if (place.path not in paths(check(place.build(word.swapcase())))) != _folds(check, place)
    ]

    assert wrongly_read == []


def _folds(check: Check, place: Place) -> bool:
    return (check is check_app and place.path in ANY_CASE) or place.path == ANY_WORD


def test_the_walk_reaches_the_depths() -> None:
    found = {place.path for _, part in PARTS.values() for place in part}

    assert {
        "intents[0].contexts",
        "asset.headers[0].value",
        "details.channelSelector.preventModifyingRestrictionsFor[0].write",
        "details.logging.consoleMessages.level",
        "details.responseHeaders.key.directives[0].action",
        "details.layouts[0].restoreConfig.noTabHeader",
        "details.layout.children[0].appName",
        "details.hibernation.rules[0].threshold",
        "details.owner.left",
        "components[0].state.restoreSettings.groupZOrder",
        "components[0].state.workspaces[0].children[0].children",
        "components[0].state.canvas.lanes[0].items[0].lane",
        "displays[0].screenScale",
    } <= found
    assert len(found) > 500
