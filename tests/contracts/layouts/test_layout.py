"""The layout as a model and as JSON Schema."""

import copy
import json
import time
from typing import Any

import pytest

from rostrum.base.problems import Problem
from rostrum.contracts.layouts import STATES, Component, Layout, check_layout
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


WINDOW_STATE = {
    "bounds": {"left": 0, "top": 0, "width": 400, "height": 300, "right": 400, "bottom": 300},
    "screenBounds": {"left": 0, "top": 0, "width": 800, "height": 600},
    "displayId": 2528732444,
    "mode": "html",
    "isCollapsed": False,
    "isPinned": False,
    "context": {"clientId": 7},
    "activityContext": {},
    "tabGroupId": "group-1",
    "tabIndex": 0,
    "channelId": "Red",
    "allowChannels": True,
    "windowState": "normal",
    "restoreState": "normal",
    "userTitle": "Mine",
    "customTitle": "Theirs",
    "instanceId": "i-1",
    "createArgs": [1, {"a": None}],
    "parentInstanceId": "i-0",
    "restoreSettings": {
        "groupId": "g",
        "groupUserTitle": "G",
        "groupZOrder": 1,
        "groupDisplayId": 2,
        "skipOffset": True,
    },
    "isSticky": True,
    "placement": {"snapped": False},
    "dockingPlacement": {"docked": False},
    "url": "https://clock.example",
    "title": "Clock",
    "command": "tool.exe",
    "parameters": "--quiet",
    "env": {"LANG": "C"},
    "channelRestrictions": {"channels": [{"name": "Red", "read": True, "write": False}]},
    "allowWorkspaceDrop": True,
    "zoomFactor": 1.25,
}
LEAF = {"type": "window", "config": {"appName": "clock", "isMaximized": False, "isLoaded": True, "novelty": 1}}
WORKSPACE = {
    "type": "workspace",
    "instanceId": "w-1",
    "config": {"title": "Morning"},
    "context": {},
    "children": [
        {
            "type": "row",
            "config": {"height": 100},
            "children": [
                {"type": "column", "children": [LEAF, {"type": "group", "children": [LEAF, LEAF], "config": {}}]},
                LEAF,
            ],
        }
    ],
}
FRAME = {
    "bounds": {"left": 0, "top": 0, "width": 900, "height": 700},
    "screenBounds": {"left": 0, "top": 0},
    "selectedWorkspace": 0,
    "workspaces": [WORKSPACE],
    "windowState": "maximized",
    "restoreState": "normal",
    "zOrder": 1,
    "displayId": 1,
    "context": {},
    "instanceId": "f-1",
}
ACTIVITY = {
    "type": "trade",
    "windows": [{**WINDOW_STATE, "type": "main", "name": "main", "isOwner": True, "isIndependent": False}],
    "context": {},
    "instanceId": "a-1",
}
CANVAS = {
    "bounds": {},
    "frameBounds": {"left": 1},
    "caption": "Canvas",
    "selectedWorkspace": 0,
    "canvas": {"lanes": 3},
    "workspaces": [{}],
    "windowState": "normal",
    "restoreState": "",
    "zOrder": 1,
    "displayId": 1,
    "context": {},
    "instanceId": "c-1",
}
SWIMLANE = {
    "canvas": {
        "lanes": [{"items": [{"lane": 0, "type": "tab", "novelty": 1}], "itemRatios": [1], "novelty": 1}],
        "horizontal": True,
        "laneRatios": [0.5, 0.5],
        "caption": "Lanes",
        "selected": None,
        "frameId": "f",
        "canvasId": "c",
    },
    "lastSaveTime": "2024-01-01T00:00:00Z",
    "context": {},
    "instanceId": "s-1",
}
DISPLAY = {"id": 1, "name": "DISPLAY1", "isPrimary": True, "left": 0, "workingAreaTop": 0, "scale": 1.5, "novelty": 1}


def component(kind: str, state: object, **members: Any) -> dict[str, Any]:
    return {"type": kind, "application": "app", "componentType": "application", "state": state, **members}


def layout(kind: str, *components: object, **members: Any) -> dict[str, Any]:
    return {"name": "Morning", "type": kind, "components": list(components), **members}


EXAMPLES = {
    "Global": layout(
        "Global",
        component("window", WINDOW_STATE),
        component("exe", WINDOW_STATE),
        component("clickonce", WINDOW_STATE),
        component("citrix", WINDOW_STATE),
        component("childWindow", {**WINDOW_STATE, "hostInstanceId": "h", "hostApplication": "host"}),
        component("node", {"context": {}, "instanceId": "n"}),
        component("workspaceFrame", FRAME),
        component("activity", ACTIVITY, componentType="activity"),
        component("canvas", CANVAS),
        token="t",
        context={"a": 1},
        metadata={"b": 2},
        version=1,
        displays=[DISPLAY],
    ),
    "Activity": layout("Activity", component("activity", ACTIVITY)),
    "ApplicationDefault": layout("ApplicationDefault", component("window", WINDOW_STATE), token=""),
    "Swimlane": layout("Swimlane", component("swimlane", SWIMLANE)),
    "Workspace": layout("Workspace", component("Workspace", WORKSPACE)),
}


def said(definition: object) -> dict[str, str]:
    return {problem.path: problem.message for problem in check_layout(definition)}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_full_layout_of_each_type_is_accepted(kind: str) -> None:
    assert check_layout(EXAMPLES[kind]) == []


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_empty_layout_of_each_type_is_accepted(kind: str) -> None:
    assert check_layout(layout(kind)) == []


@pytest.mark.parametrize("document", [None, 5, "text", True, []])
def test_a_layout_is_an_object(document: object) -> None:
    (problem,) = check_layout(document)

    assert problem.path == ""
    assert problem.message.startswith("must be an object, not ")


def test_name_type_and_components_are_required_and_token_is_not() -> None:
    assert said({}) == {"name": "is required", "type": "is required", "components": "is required"}


@pytest.mark.parametrize("kind", ["global", "ActivityLayout", "workspace", "", None])
def test_the_type_is_matched_exactly(kind: object) -> None:
    (message,) = said(layout("Global", type=kind)).values()

    assert message.startswith('must be "Global", "Activity", "ApplicationDefault", "Swimlane" or "Workspace", not ')


@pytest.mark.parametrize("name", ["", "x" * 257, "a\0b", "a\tb", 7, None])
def test_names_follow_the_rule_of_app_names(name: object) -> None:
    assert list(said(layout("Global", name=name))) == ["name"]


@pytest.mark.parametrize("kind", ["webGroup", "workspaces", "Window", "of another platform"])
def test_components_of_types_that_are_not_known_here_may_hold_anything(kind: str) -> None:
    other = component(kind, {"anything": 1}, children=[1, None], state_of_theirs="x")
    assert said(layout("Global", other)) == {}
    assert said(layout("Global", {"type": kind, "state": ["no object"]})) == {}


@pytest.mark.parametrize("kind", [None, 5, "", [], {}])
def test_the_type_of_a_component_must_be_a_word(kind: Any) -> None:
    assert list(said(layout("Global", {"type": kind}))) == ["components[0].type"]


def test_unknown_members_are_a_problem_each_with_a_guess() -> None:
    definition = layout(
        "Global",
        component("window", {"bounds": {"lft": 1}, "WINDOWSTATE": "normal", "xyz": 1}, stat={}),
        tokn="",
        owner="me",
    )

    assert said(definition) == {
        "components[0].state.bounds.lft": 'is not known here; did you mean "left"?',
        "components[0].state.WINDOWSTATE": 'is not known here; did you mean "windowState"?',
        "components[0].state.xyz": "is not known here",
        "components[0].stat": 'is not known here; did you mean "state"?',
        "tokn": 'is not known here; did you mean "token"?',
        "owner": "is not known here",
    }


@pytest.mark.parametrize(
    ("kind", "state", "path"),
    [
        ("window", {"hostInstanceId": "h"}, "hostInstanceId"),
        ("window", {"screenBounds": {"right": 1}}, "screenBounds.right"),
        ("window", {"windowState": "Normal"}, "windowState"),
        ("window", {"context": None}, "context"),
        (
            "window",
            {"channelRestrictions": {"channels": [{"name": "Red", "read": True}]}},
            "channelRestrictions.channels[0].write",
        ),
        ("node", {"bounds": {}}, "bounds"),
        ("Workspace", {}, "children"),
        ("Workspace", {"children": [], "type": "Workspace"}, "type"),
        ("workspaceFrame", {"workspaces": [{}]}, "workspaces[0].children"),
        ("workspaceFrame", {"workspaces": [{"children": [{"type": "pane"}]}]}, "workspaces[0].children[0].type"),
        ("activity", {"windows": [{"owner": True}]}, "windows[0].owner"),
        ("canvas", {"lanes": []}, "lanes"),
        ("swimlane", {"canvas": SWIMLANE["canvas"]}, "lastSaveTime"),
        ("swimlane", {**SWIMLANE, "canvas": {"lanes": [], "horizontal": True}}, "canvas.laneRatios"),
        (
            "swimlane",
            {
                **SWIMLANE,
                "canvas": {
                    "lanes": [{"items": [{"lane": 0, "type": "x"}], "itemRatios": []}],
                    "horizontal": True,
                    "laneRatios": [],
                },
            },
            "canvas.lanes[0].items[0].type",
        ),
    ],
)
def test_each_state_has_its_own_members(kind: str, state: object, path: str) -> None:
    assert list(said(layout("Global", component(kind, state)))) == [f"components[0].state.{path}"]


@pytest.mark.parametrize(
    ("child", "path"),
    [
        ({}, "type"),
        ({"type": "Row", "children": []}, "type"),
        ({"type": "row"}, "children"),
        ({"type": "row", "children": {}}, "children"),
        ({"type": "row", "children": [], "size": 1}, "size"),
        ({"type": "window"}, "config"),
        ({"type": "window", "config": {}}, "config.appName"),
        ({"type": "window", "config": {"appName": "a", "isLoaded": 1}}, "config.isLoaded"),
        ({"type": "window", "config": {"appName": "a"}, "children": []}, "children"),
        ({"type": "group", "children": [{"type": "row", "children": []}]}, "children[0].type"),
        (
            {"type": "column", "children": [{"type": "row", "children": [{"type": "x"}]}]},
            "children[0].children[0].type",
        ),
    ],
)
def test_the_tree_of_a_workspace_is_checked_to_its_leaves(child: object, path: str) -> None:
    problems = said(layout("Workspace", component("Workspace", {"children": [LEAF, child]})))

    assert list(problems) == [f"components[0].state.children[1].{path}"]


def test_a_child_without_a_right_type_names_the_right_ones() -> None:
    problems = said(layout("Workspace", component("Workspace", {"children": [{"type": "pane"}, 3]})))

    assert problems == {
        "components[0].state.children[0].type": 'must be "row", "column", "group" or "window", not "pane"',
        "components[0].state.children[1]": "must be an object, not 3",
    }


def nested(depth: int, leaf: object) -> dict[str, Any]:
    tree = leaf
    for _ in range(depth):
        tree = {"type": "row", "children": [tree]}
    return layout("Workspace", component("Workspace", {"children": [tree]}))


def test_a_tree_as_deep_as_json_may_be_is_read() -> None:
    assert check_layout(nested(48, LEAF)) == []


def test_a_fault_at_the_bottom_of_a_deep_tree_is_found() -> None:
    (problem,) = check_layout(nested(48, {"type": "pane"}))

    assert problem.path == "components[0].state.children[0]" + ".children[0]" * 48 + ".type"


def test_a_tree_without_end_is_reported() -> None:
    (problem,) = check_layout(nested(400, LEAF))

    assert problem.message == "is nested too deeply"


def test_a_deep_and_broad_tree_full_of_faults_takes_no_time_worth_mentioning() -> None:
    tree: object = {"type": "pane"}
    for _ in range(48):
        tree = {"type": "row", "children": [*[0] * 40, tree], "novelty": 1}

    start = time.perf_counter()
    problems = check_layout(layout("Workspace", component("Workspace", {"children": [tree]})))

    assert len(problems) == 101
    assert time.perf_counter() - start < 2


def test_a_layout_without_end_is_not_looked_through() -> None:
    assert check_layout(layout("Global", *[0] * 100_000)) == [
        Problem(path="", message="is too large: more than 50000 members and entries")
    ]


def test_an_object_without_end_is_not_looked_through() -> None:
    assert check_layout(layout("Global", **{f"member{number}": 1 for number in range(60_000)})) == [
        Problem(path="", message="is too large: more than 50000 members and entries")
    ]


def test_many_unknown_members_are_cut_off() -> None:
    problems = check_layout(layout("Global", **{f"member{number}": 1 for number in range(5000)}))

    assert len(problems) == 101
    assert problems[-1].message == "4900 more problems are not listed"


def test_the_document_is_not_changed() -> None:
    before = copy.deepcopy(EXAMPLES)

    for definition in EXAMPLES.values():
        check_layout(definition)

    assert before == EXAMPLES
