"""The app definition as a model and as JSON Schema."""

import copy
import json
import time
from typing import Any

import pytest

from rostrum.base.json_text import dump
from rostrum.base.problems import Problem
from rostrum.contracts.apps import DETAILS, AppDefinition, check_app
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


SMALLEST = {
    "window": {"url": "https://clock.example"},
    "exe": {"path": "C:\\tools", "command": "tool.exe"},
    "node": {"path": "watch.js"},
    "workspaces": {"url": "https://workspaces.example"},
    "webGroup": {"url": "https://groups.example"},
    "clickonce": {"url": "https://tool.example/tool.application"},
    "citrix": {"name": "Ledger"},
    "childWindow": {"owner": "host"},
    "activity": {"owner": {"type": "main", "name": "main", "left": 0, "top": 0, "width": 400, "height": 400}},
}


def window(**details: Any) -> dict[str, Any]:
    return {"type": "window", "name": "clock", "details": {"url": "https://clock.example", **details}}


def app(**members: Any) -> dict[str, Any]:
    return {**window(), **members}


def said(definition: object) -> dict[str, str]:
    return {problem.path: problem.message for problem in check_app(definition)}


@pytest.mark.rule("R-2.5-5")
@pytest.mark.parametrize(("kind", "details"), SMALLEST.items())
def test_the_smallest_useful_definition_of_each_type_is_accepted(kind: str, details: dict[str, Any]) -> None:
    assert check_app({"type": kind, "name": "app", "details": details}) == []


@pytest.mark.parametrize(
    "details",
    [
        pytest.param({"type": "exe", "details": {"command": "report.pdf", "useShellExecute": True}}, id="exe"),
        pytest.param({"type": "node", "details": {"remote": {"url": "https://scripts.example/a.js"}}}, id="node"),
    ],
)
def test_the_other_smallest_forms_are_accepted(details: dict[str, Any]) -> None:
    assert check_app({"name": "app", **details}) == []


@pytest.mark.parametrize("kind", ["exe", "node", "workspaces", "clickonce", "citrix"])
def test_types_without_required_details_accept_none(kind: str) -> None:
    assert check_app({"type": kind, "name": "app", "details": {}}) == []


@pytest.mark.rule("R-2.5-5")
@pytest.mark.parametrize(
    ("kind", "member"), [("window", "url"), ("webGroup", "url"), ("childWindow", "owner"), ("activity", "owner")]
)
def test_missing_required_details_are_reported(kind: str, member: str) -> None:
    assert said({"type": kind, "name": "app", "details": {}}) == {f"details.{member}": "is required"}


@pytest.mark.parametrize("document", [None, 5, "text", True, [], [window()]])
def test_a_definition_is_an_object(document: object) -> None:
    (problem,) = check_app(document)

    assert problem.path == ""
    assert problem.message.startswith("must be an object, not ")


def test_type_name_and_details_are_required() -> None:
    assert said({}) == {"type": "is required", "name": "is required", "details": "is required"}


@pytest.mark.parametrize("member", ["type", "name", "details"])
@pytest.mark.parametrize("blank", [None, ""])
def test_nothing_is_no_value_for_a_required_member(member: str, blank: object) -> None:
    assert list(said(app(**{member: blank}))) == [member]


@pytest.mark.parametrize("kind", ["Window", "WINDOW", "WebGroup", "webgroup", "CLICKONCE", "childwindow"])
def test_type_is_matched_without_regard_to_case(kind: str) -> None:
    details = {"url": "https://clock.example", "owner": "host"}

    assert check_app({"type": kind, "name": "app", "details": details}) == []


def test_an_unknown_type_names_the_known_ones_and_the_rest_is_still_checked() -> None:
    assert said({"type": "windw", "name": "", "details": 4, "autoStart": "yes"}) == {
        "type": (
            'must be "window", "activity", "exe", "node", "workspaces", "webGroup", "clickonce", "citrix" '
            'or "childWindow", not "windw"'
        ),
        "name": "must not be empty",
        "details": "must be an object, not 4",
        "autoStart": 'must be true or false, not "yes"',
    }


def test_details_of_an_unknown_type_are_not_guessed_at() -> None:
    assert list(said({"type": "windw", "name": "app", "details": {"width": "wide"}})) == ["type"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "must not be empty"),
        ("x" * 257, "must have at most 256 characters, not 257"),
        ("a\0b", "must not hold control characters; U+0000 stands at place 2"),
        ("line\n", "must not hold control characters; U+000A stands at place 5"),
        ("\x7f", "must not hold control characters; U+007F stands at place 1"),
        ("\x9b2J", "must not hold control characters; U+009B stands at place 1"),
        ("half \ud800", "must not hold half of a surrogate pair"),
        (7, "must be text, not 7"),
    ],
)
def test_a_name_that_cannot_be_a_key_is_refused(name: object, message: str) -> None:
    assert said(app(name=name)) == {"name": message}


@pytest.mark.parametrize("name", ["x", "x" * 256, "Käse & Brot", "时钟", "a b/c.d:e", "🕰"])
def test_other_names_are_accepted(name: str) -> None:
    assert check_app(app(name=name)) == []


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("400", '"400"'),
        (400.5, "400.5"),
        (400.0, "400.0"),
        (True, "true"),
        ([400], "a list"),
        ({}, "an object"),
    ],
)
def test_integers_stay_integers(value: object, shown: str) -> None:
    assert said(window(width=value)) == {"details.width": f"must be a whole number, not {shown}"}


@pytest.mark.parametrize("value", [0, 1, "true", [], {}])
def test_booleans_stay_booleans(value: object) -> None:
    assert list(said(app(autoStart=value))) == ["autoStart"]


@pytest.mark.parametrize("value", [5, 5.5, -5])
def test_a_number_may_be_an_integer_or_not(value: float) -> None:
    assert check_app(window(minWidth=value)) == []


@pytest.mark.parametrize("value", [True, "5", None, float("nan"), float("inf")])
def test_a_number_is_nothing_else(value: object) -> None:
    assert list(said(window(maxWidth=value))) == ["details.maxWidth"]


@pytest.mark.parametrize("blank", [None, ""])
def test_nothing_means_the_default_where_there_is_one(blank: object) -> None:
    details = {"width": blank, "mode": blank, "docking": blank, "onTop": blank, "cascade": {"offset": blank}}

    assert check_app(app(sortOrder=blank, configMode=blank, hidden=blank, details={"url": "u", **details})) == []


def test_nothing_means_nothing_where_there_is_no_default() -> None:
    assert said(app(version=None, keywords="", intents=None)) == {
        "version": "must be text, not null",
        "keywords": 'must be a list, not ""',
        "intents": "must be a list, not null",
    }


def test_the_empty_text_is_text() -> None:
    assert check_app(app(version="", title="")) == []


def test_unknown_properties_are_accepted_at_every_open_level() -> None:
    definition = window(novelty=1, channelSelector={"novelty": None}, startLocation={"novelty": []})

    assert check_app({**definition, "novelty": {"deep": [1]}, "asset": {"novelty": 1}}) == []


def test_intents_are_closed_and_guess_what_was_meant() -> None:
    assert said(app(intents=[{"name": "ShowChart", "context": ["x"], "icon": ""}, {"displayName": "Chart"}])) == {
        "intents[0].context": 'is not known here; did you mean "contexts"?',
        "intents[0].icon": "is not known here",
        "intents[1].name": "is required",
    }


def test_details_are_checked_against_their_own_type_only() -> None:
    details = {"path": 1, "framePool": "x", "url": 4}

    assert list(said({"type": "exe", "name": "app", "details": details})) == ["details.path"]
    assert list(said({"type": "workspaces", "name": "app", "details": details})) == [
        "details.url",
        "details.framePool",
    ]


@pytest.mark.parametrize("value", ["CENTER", "topfull", {"location": "LeftFull", "sizeMode": "percents"}])
def test_start_location_is_a_word_or_an_object(value: object) -> None:
    assert check_app(window(startLocation=value)) == []


@pytest.mark.parametrize("value", ["centre", 4, True, []])
def test_a_wrong_start_location_names_all_allowed_ones(value: object) -> None:
    message = said(window(startLocation=value))["details.startLocation"]

    assert message.startswith('must be "center", "topCenter"')
    assert '"rightFull" or an object, not' in message


def test_all_problems_are_reported_at_once() -> None:
    definition = window(mode="round", onTop="never", preloadScripts={"scripts": [1, {}]}, url=None)

    assert check_app({**definition, "runPriority": {"stage": "late"}, "childrenInheritChannel": ["a", 1]}) == [
        Problem(path="details.mode", message='must be "flat", "tab", "html" or "frameless", not "round"'),
        Problem(path="details.url", message="must be text, not null"),
        Problem(path="details.onTop", message='must be true, false or "always", not "never"'),
        Problem(path="details.preloadScripts.scripts[0]", message="must be text or an object, not 1"),
        Problem(path="details.preloadScripts.scripts[1].url", message="is required"),
        Problem(path="runPriority.stage", message='must be "core", "pre-sso", "post-sso" or "user", not "late"'),
        Problem(path="childrenInheritChannel[1]", message="must be text, not 1"),
    ]


def test_a_member_that_is_called_like_a_type_does_not_confuse_the_path() -> None:
    scripts = {"str": {"bool": 1}, "scripts": [{"url": 1, "str": 2}]}

    assert list(said(window(preloadScripts=scripts))) == ["details.preloadScripts.scripts[0].url"]


@pytest.mark.parametrize(
    ("workspace", "path"),
    [
        ({}, "details.layouts[0]"),
        ({"layoutName": 1}, "details.layouts[0].layoutName"),
        (
            {"children": [{"type": "row", "children": [{"type": "pane"}]}]},
            "details.layouts[0].children[0].children[0].type",
        ),
        ({"children": [{"children": []}]}, "details.layouts[0].children[0].type"),
        ({"children": [3]}, "details.layouts[0].children[0]"),
    ],
)
def test_a_workspace_to_open_is_named_or_drawn(workspace: object, path: str) -> None:
    assert list(said({"type": "workspaces", "name": "w", "details": {"layouts": [workspace]}})) == [path]


def test_a_workspace_tree_may_be_nested() -> None:
    leaf = {"type": "window", "appName": "clock"}
    tree = {"type": "column", "children": [leaf, {"type": "group", "children": [leaf]}]}

    assert check_app({"type": "workspaces", "name": "w", "details": {"layout": {"children": [tree]}}}) == []


def test_the_document_is_not_changed() -> None:
    definition = window(width=None, mode="HTML", docking=None)
    before = copy.deepcopy(definition)

    check_app(definition)

    assert definition == before


def test_a_report_ends_after_a_hundred_problems() -> None:
    problems = check_app(app(keywords=[1] * 250))

    assert len(problems) == 101
    assert problems[99].path == "keywords[99]"
    assert problems[100] == Problem(path="", message="150 more problems are not listed")


def test_one_problem_too_many_is_counted_in_the_singular() -> None:
    assert str(check_app(app(keywords=[1] * 101))[-1]) == "1 more problem is not listed"


def test_a_list_without_end_is_not_looked_through() -> None:
    assert said(app(keywords=[1] * 1_000_000)) == {"": "is too large: more than 50000 members and entries"}


def test_many_small_objects_count_with_their_members() -> None:
    area = {"left": 0, "top": 0, "width": 10, "height": 10}

    assert check_app(window(visibleAreas=[area] * 9_000)) == []
    assert said(window(visibleAreas=[area] * 11_000)) == {"": "is too large: more than 50000 members and entries"}


def test_free_objects_may_be_as_large_as_they_like() -> None:
    assert check_app(app(customProperties={"data": [1] * 100_000}, **{f"x{i}": i for i in range(60_000)})) == []


def test_the_check_is_quick() -> None:
    definition = app(title="Clock", keywords=["time"], intents=[{"name": "ShowTime", "contexts": ["x"]}])
    check_app(definition)

    start = time.perf_counter()
    for _ in range(200):
        check_app(definition)

    # A tenth of this is usual; the rest is for a machine that does other things too.
    assert (time.perf_counter() - start) / 200 < 0.002


class TestWrapper:
    def wrap(self, manifest: object, **members: Any) -> dict[str, Any]:
        return {"name": "clock", "version": "1", "title": "Clock", "manifestType": "x", "manifest": manifest} | members

    def test_the_definition_in_it_is_checked(self) -> None:
        assert check_app(self.wrap(dump(window()).decode())) == []

    def test_its_problems_are_reported_with_their_place(self) -> None:
        manifest = dump(app(details={"width": "400"}, intents=[{}])).decode()

        assert said(self.wrap(manifest, title=3)) == {
            "title": "must be text, not 3",
            "manifest.details.width": 'must be a whole number, not "400"',
            "manifest.details.url": "is required",
            "manifest.intents[0].name": "is required",
        }

    def test_a_record_may_be_in_it(self) -> None:
        record = {"appId": "clock", "title": "Clock", "type": "web", "details": {}}

        assert said(self.wrap(dump(record).decode())) == {"manifest.details.url": "is required"}

    @pytest.mark.parametrize("manifest", ["", "{", "[]", "4", "https://example.com/manifest.json", '{"a": "\ud800"}'])
    def test_other_text_is_refused(self, manifest: str) -> None:
        (problem,) = check_app(self.wrap(manifest))

        assert problem.path == "manifest"
        assert problem.message.startswith("must be JSON text of a definition: ")

    @pytest.mark.parametrize("manifest", [None, 4, {}, [], True])
    def test_anything_but_text_is_refused(self, manifest: object) -> None:
        assert list(said(self.wrap(manifest))) == ["manifest"]

    def test_it_needs_a_name(self) -> None:
        assert said({"manifest": dump(window()).decode()}) == {"name": "is required"}

    def test_a_long_report_is_cut_once(self) -> None:
        problems = check_app(self.wrap(dump(app(keywords=[1] * 250)).decode(), title=3, version=4))

        assert len(problems) == 101
        assert problems[-1] == Problem(path="manifest", message="152 more problems are not listed")

    def test_wrappers_in_wrappers_end(self) -> None:
        definition = window()
        for _ in range(8):
            definition = self.wrap(dump(definition).decode())

        assert check_app(definition) == []


class TestRecord:
    def test_a_directory_record_is_accepted(self) -> None:
        record = {"appId": "clock", "title": "Clock", "type": "web", "details": {"url": "https://clock.example"}}

        assert check_app(record) == []

    def test_its_own_rules_hold(self) -> None:
        assert said({"appId": "clock", "details": {}}) == {"title": "is required", "type": "is required"}
