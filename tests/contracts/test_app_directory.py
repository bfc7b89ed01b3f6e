"""The app directory keeps to the official document of FDC3 2.2, for all kinds of apps."""

from typing import Any

import pytest

from rostrum.contracts.apps import check_app
from rostrum.contracts.fdc3 import to_record
from rostrum.manager.demo.read import read_demo
from tests.contracts.app_directory import problems_of_app, problems_of_list

PAGE = {"url": "https://apps.example.com/chart"}
COMPLETE: dict[str, Any] = {
    "name": "chart",
    "type": "window",
    "title": "Chart",
    "version": "1.2",
    "tooltip": "Prices",
    "caption": "Prices of today",
    "icon": "https://apps.example.com/chart.png",
    "contactEmail": "desk@example.com",
    "supportEmails": ["help@example.com"],
    "intents": [{"name": "ViewChart", "displayName": "Show chart", "contexts": ["fdc3.instrument"]}, {"name": "Other"}],
    "details": PAGE,
}
VALID = {"appId": "a", "title": "A", "type": "web", "details": {"url": "https://a.example"}}


@pytest.mark.parametrize(
    "definition",
    [
        COMPLETE,
        {"type": "exe", "name": "excel", "details": {"path": "C:\\Office", "command": "excel.exe", "parameters": "/x"}},
        {"type": "node", "name": "worker", "details": {"path": "/srv/worker.js"}},
        {"type": "clickonce", "name": "installer", "details": {"url": "https://apps.example.com/a.application"}},
        {"type": "citrix", "name": "mail", "details": {"name": "Mail", "parameters": "-n"}},
        {"type": "webGroup", "name": "group", "details": PAGE},
        {"type": "workspaces", "name": "workspaces", "details": {}},
        {**COMPLETE, "icon": "chart.png"},
        {**COMPLETE, "contactEmail": "the desk", "supportEmails": ["phone 123"]},
        {**COMPLETE, "icon": "", "tooltip": "", "supportEmails": []},
    ],
)
def test_records_of_definitions_are_valid(definition: dict[str, Any]) -> None:
    record = to_record(definition)

    assert problems_of_app(record) == []
    # What the standard has no place for is kept for our own clients.
    assert record["hostManifests"]["rostrum"] == definition


def test_the_records_of_the_demo_are_valid() -> None:
    records = [to_record(app["definition"]) for app in read_demo().apps]

    assert len(records) > 10
    assert problems_of_list({"applications": records, "message": "OK"}) == []


def test_members_that_the_standard_would_refuse_are_left_out() -> None:
    assert check_app({**COMPLETE, "icon": "chart.png"}) == []
    assert to_record(COMPLETE)["icons"] == [{"src": "https://apps.example.com/chart.png"}]
    assert "icons" not in to_record({**COMPLETE, "icon": "chart.png"})
    plain = to_record({**COMPLETE, "contactEmail": "the desk", "supportEmails": ["phone 123", "help@example.com"]})
    assert plain["contactEmail"] == plain["supportEmail"] == "help@example.com"


@pytest.mark.parametrize(
    "wrong",
    [
        {"appId": 7},
        {"type": "window"},
        {"details": {}},
        {"details": {"url": "https://a.example", "more": 1}},
        {"details": {"url": "no address"}},
        {"icons": [{"src": "no address"}]},
        {"icons": [{}]},
        {"supportEmail": "nobody"},
        {"hostManifests": {"rostrum": 7}},
        {"interop": {"intents": {"listensFor": {"ViewChart": {}}}}},
        {"interop": {"appChannels": [{}]}},
        {"lang": "English"},
        {"localizedVersions": {"fr": {"title": 7}}},
    ],
)
def test_the_declaration_finds_faults(wrong: dict[str, Any]) -> None:
    assert problems_of_app(VALID) == []
    assert problems_of_app({**VALID, **wrong}) != []
    assert problems_of_list({"applications": [{**VALID, **wrong}]}) != []
