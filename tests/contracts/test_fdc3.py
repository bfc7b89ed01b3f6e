"""FDC3 directory records: detection, validation and conversion."""

from typing import Any

import pytest

from rostrum.base.json_text import dump
from rostrum.contracts.apps import check_app
from rostrum.contracts.fdc3 import app_name, check_record, is_fdc3_record, to_record
from rostrum.contracts.fdc3_import import to_definition

WEB = {"appId": "clock", "title": "Clock", "type": "web", "details": {"url": "https://clock.example"}}


def said(record: object) -> dict[str, str]:
    return {problem.path: problem.message for problem in check_record(record)}


def definition(kind: str, details: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"type": kind, "name": "app", "details": details, **members}


class TestTelling:
    @pytest.mark.parametrize(
        "record",
        [
            WEB,
            {"appId": "clock"},
            {"appId": "clock", "type": "onlineNative"},
            {"appId": "clock", "type": "nonsense"},
            {"appId": "clock", "type": 5},
            {"appId": "clock", "type": "citrix", "details": {}},
            {"appId": "clock", "type": "citrix", "details": {"alias": "x"}},
            {"appId": "clock", "name": "clock", "type": "citrix", "details": {"alias": "x"}},
        ],
    )
    def test_a_record_has_an_app_id_and_no_type_of_ours(self, record: object) -> None:
        assert is_fdc3_record(record) is True

    @pytest.mark.parametrize(
        "other",
        [
            None,
            [],
            "appId",
            {},
            {"appId": 5, "type": "web"},
            {"type": "web"},
            {"appId": "clock", "type": "window"},
            {"appId": "clock", "type": "WebGroup"},
            {"appId": "clock", "name": "clock", "type": "citrix", "details": {"name": "x"}},
            {"appId": "clock", "name": "clock", "type": "citrix", "details": 5},
            {"appId": "clock", "type": "Citrix"},
        ],
    )
    def test_anything_else_is_not_a_record(self, other: object) -> None:
        assert is_fdc3_record(other) is False


class TestChecking:
    @pytest.mark.parametrize(
        ("kind", "details"),
        [
            ("web", {"url": "u"}),
            ("onlineNative", {"url": "u"}),
            ("native", {"path": "/bin/app", "arguments": "-x"}),
            ("citrix", {"alias": "Ledger"}),
            ("other", {}),
        ],
    )
    def test_a_record_of_each_type_is_accepted(self, kind: str, details: dict[str, Any]) -> None:
        record = {**WEB, "type": kind, "details": details}

        assert check_record(record) == []
        assert check_app(record) == []

    @pytest.mark.parametrize(
        ("kind", "member"), [("web", "url"), ("onlineNative", "url"), ("native", "path"), ("citrix", "alias")]
    )
    def test_each_type_needs_its_own_details(self, kind: str, member: str) -> None:
        assert said({**WEB, "type": kind, "details": {}}) == {f"details.{member}": "is required"}
        assert said({**WEB, "type": kind, "details": {member: ""}}) == {f"details.{member}": "must not be empty"}

    def test_all_that_is_missing_is_reported_at_once(self) -> None:
        assert said({}) == {
            "appId": "is required",
            "title": "is required",
            "type": "is required",
            "details": "is required",
        }

    def test_the_types_are_those_of_the_standard(self) -> None:
        assert said({**WEB, "type": "Web"}) == {
            "type": 'must be "web", "native", "citrix", "onlineNative" or "other", not "Web"'
        }

    def test_the_id_follows_the_rule_of_names(self) -> None:
        assert said({**WEB, "appId": "a\0"}) == {"appId": "must not hold control characters; U+0000 stands at place 2"}

    def test_what_the_standard_adds_is_accepted(self) -> None:
        record = {
            **WEB,
            "categories": ["time"],
            "lang": "en",
            "icons": [{"src": "i", "size": "1x1"}],
            "publisher": "us",
        }

        assert check_record(record) == []


class TestNaming:
    def test_a_definition_is_known_by_its_name(self) -> None:
        assert app_name({"type": "window", "name": "clock", "appId": "other"}) == "clock"

    def test_a_record_is_known_by_its_name_or_id(self) -> None:
        assert app_name(WEB) == "clock"
        assert app_name({**WEB, "name": "Big Clock"}) == "Big Clock"

    def test_a_wrapper_is_known_by_its_name(self) -> None:
        assert app_name({"name": "clock", "manifest": "{}"}) == "clock"


class TestWriting:
    def test_a_record_stays_itself(self) -> None:
        assert to_record(WEB) is WEB

    @pytest.mark.parametrize(
        ("kind", "details", "record_type", "record_details"),
        [
            ("window", {"url": "u", "width": 5}, "web", {"url": "u"}),
            ("WINDOW", {"url": "u"}, "web", {"url": "u"}),
            ("webGroup", {"url": "u"}, "web", {"url": "u"}),
            ("workspaces", {"url": "u"}, "web", {"url": "u"}),
            ("exe", {"path": "C:\\a\\", "command": "b.exe"}, "native", {"path": "C:\\a\\b.exe"}),
            (
                "exe",
                {"path": "/opt/a", "command": "b", "parameters": "-c"},
                "native",
                {"path": "/opt/a/b", "arguments": "-c"},
            ),
            ("exe", {"command": "b"}, "native", {"path": "b"}),
            ("node", {"path": "a.js", "parameters": "x"}, "native", {"path": "a.js", "arguments": "x"}),
            ("node", {"remote": {"url": "u"}}, "native", {"path": "u"}),
            ("clickonce", {"url": "u"}, "onlineNative", {"url": "u"}),
            ("citrix", {"name": "Ledger", "parameters": "x"}, "citrix", {"alias": "Ledger", "arguments": "x"}),
            ("childWindow", {"owner": "host"}, "other", {}),
            ("activity", {"owner": {}}, "other", {}),
        ],
    )
    def test_types_and_details_are_translated(
        self, kind: str, details: dict[str, Any], record_type: str, record_details: dict[str, Any]
    ) -> None:
        record = to_record(definition(kind, details))

        assert (record["type"], record["details"]) == (record_type, record_details)
        assert check_record(record) == []
        assert is_fdc3_record(record)

    @pytest.mark.parametrize("kind", ["workspaces", "exe", "node", "clickonce", "citrix"])
    def test_what_cannot_be_started_elsewhere_is_left_to_our_host(self, kind: str) -> None:
        record = to_record(definition(kind, {}))

        assert (record["type"], record["details"]) == ("other", {})
        assert check_record(record) == []

    def test_the_smallest_definition_gives_the_smallest_record(self) -> None:
        app = definition("window", {"url": "u"})

        assert to_record(app) == {
            "appId": "app",
            "title": "app",
            "type": "web",
            "details": {"url": "u"},
            "hostManifests": {"rostrum": app},
        }

    def test_everything_known_is_carried_over(self) -> None:
        app = definition(
            "window",
            {"url": "u"},
            title="App",
            version="1.2",
            tooltip="Tip",
            caption="A longer text",
            icon="https://icons.example/app.png",
            supportEmails=["help@example.com", "more@example.com"],
            intents=[
                {"name": "ShowChart", "displayName": "Chart", "contexts": ["fdc3.instrument"], "resultType": "x"},
                {"name": "Print"},
            ],
        )

        assert to_record(app) == {
            "appId": "app",
            "title": "App",
            "type": "web",
            "details": {"url": "u"},
            "version": "1.2",
            "tooltip": "Tip",
            "description": "A longer text",
            "icons": [{"src": "https://icons.example/app.png"}],
            "contactEmail": "help@example.com",
            "supportEmail": "help@example.com",
            "interop": {
                "intents": {
                    "listensFor": {
                        "ShowChart": {"displayName": "Chart", "contexts": ["fdc3.instrument"], "resultType": "x"},
                        "Print": {"contexts": []},
                    }
                }
            },
            "hostManifests": {"rostrum": app},
        }

    def test_what_is_empty_is_left_out(self) -> None:
        app = definition("window", {"url": "u"}, title="", version="", icon="", supportEmails=[], intents=[])

        assert set(to_record(app)) == {"appId", "title", "type", "details", "hostManifests"}
        assert to_record(app)["title"] == "app"

    @pytest.mark.parametrize(
        ("declared", "written"),
        [
            ({"Print": {"displayName": "Print"}}, {"Print": {"displayName": "Print", "contexts": []}}),
            (
                {"Print": {"contexts": "x"}, "View": {"contexts": ["x"]}},
                {"Print": {"contexts": []}, "View": {"contexts": ["x"]}},
            ),
            ({"Print": None, "View": 5}, {}),
            (["Print"], {}),
            (None, {}),
        ],
    )
    def test_each_intent_of_a_record_has_a_list_of_contexts(self, declared: object, written: object) -> None:
        record = {**WEB, "interop": {"userChannels": {}, "intents": {"raises": {}, "listensFor": declared}}}
        before = dump(record)

        assert to_record(record) == {
            **WEB,
            "interop": {"userChannels": {}, "intents": {"raises": {}, "listensFor": written}},
        }
        assert dump(record) == before

    @pytest.mark.parametrize("interop", [None, 5, [], {}, {"intents": None}, {"intents": {}}])
    def test_a_record_without_intents_is_not_changed(self, interop: object) -> None:
        record = {**WEB, "interop": interop}

        assert to_record(record) == record

    def test_a_wrapper_is_opened(self) -> None:
        inner = definition("window", {"url": "u"}, title="App")
        record = to_record({"name": "outer", "manifest": dump(inner).decode()})

        assert (record["appId"], record["title"], record["type"]) == ("outer", "App", "web")
        assert record["hostManifests"]["rostrum"]["details"] == {"url": "u"}


class TestTheDefinitionOfARecord:
    def test_it_has_the_intents_of_the_record(self) -> None:
        declared = {"ViewChart": {"displayName": "Chart", "contexts": ["x"], "resultType": "y"}, "Print": {}}
        made = to_definition({**WEB, "interop": {"intents": {"listensFor": declared}}})

        assert made["intents"] == [
            {"name": "ViewChart", "displayName": "Chart", "resultType": "y", "contexts": ["x"]},
            {"name": "Print", "contexts": []},
        ]
        assert (
            to_record({**made, "fdc3": None})["interop"]["intents"]["listensFor"]["ViewChart"] == declared["ViewChart"]
        )

    def test_the_manifest_for_this_platform_decides(self) -> None:
        interop = {"intents": {"listensFor": {"ViewChart": {"contexts": ["x"]}}}}
        own = {"rostrum": {"intents": [{"name": "Print"}]}}

        assert to_definition({**WEB, "interop": interop, "hostManifests": own})["intents"] == [{"name": "Print"}]

    @pytest.mark.parametrize(
        "interop",
        [
            None,
            5,
            {},
            {"intents": []},
            {"intents": {"listensFor": ["x"]}},
            {"intents": {"listensFor": {"": {}, "x": 5}}},
        ],
    )
    def test_wrong_values_are_left_out(self, interop: object) -> None:
        assert "intents" not in to_definition({**WEB, "interop": interop})

    def test_wrong_members_of_an_intent_are_left_out(self) -> None:
        declared = {
            "x": {"displayName": 5, "resultType": None, "contexts": ["fdc3.contact", 5]},
            "y": {"contexts": "z"},
        }
        made = to_definition({**WEB, "interop": {"intents": {"listensFor": declared}}})

        assert made["intents"] == [{"name": "x", "contexts": ["fdc3.contact"]}, {"name": "y", "contexts": []}]
        assert check_app({name: value for name, value in made.items() if name != "fdc3"}) == []
