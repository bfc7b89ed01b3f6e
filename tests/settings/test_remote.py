from typing import Any

import pytest
from hypothesis import given

from rostrum.settings.catalogue import catalogue, local_only_paths
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.parse import parse_document
from rostrum.settings.remote import check_remote
from tests.settings.test_merge import documents


def said(document: Any, version: str | None = None, kind: SettingsFile = SettingsFile.SYSTEM) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.path) for problem in check_remote(kind, document, version)]


def test_a_document_without_fault_has_no_problem() -> None:
    assert said({"notifications": {"toastExpiry": 4000}, "$schema": "x"}) == []


@pytest.mark.parametrize("path", local_only_paths(), ids=".".join)
def test_every_local_only_setting_is_pointed_out(path: tuple[str, ...]) -> None:
    document: Any = catalogue()[".".join(path)].default
    for step in reversed(path):
        document = {step: document}

    assert said(document) == [("warning", ".".join(path))]


def test_a_mode_that_only_a_local_file_can_choose_does_not_count() -> None:
    assert said({"advancedMode": True, "windowManagement": {"group": {"type": "Classic"}}}) == [
        ("warning", "advancedMode"),
        ("note", "windowManagement.group.type"),
    ]


def test_what_counts_in_one_mode_or_one_stream_is_fine_for_desktops_of_any_version() -> None:
    assert said({"windowManagement": {"flydownWindows": {"showDelay": 100}}}) == []
    assert said({"windowManagement": {"hardwareAcceleration": {"transparency": {"mode": "UseAppRegion"}}}}) == []
    assert said({"remoteConfig": {"enabled": True}}, kind=SettingsFile.GILDING) == []


def test_what_counts_for_no_desktop_of_a_version_is_pointed_out() -> None:
    late = {"windowManagement": {"editWindowTitle": False}}

    assert said(late, "9.15") == [("warning", "windowManagement.editWindowTitle")]
    assert said(late, "10.0") == []
    assert said({"remoteConfig": {"enabled": True}}, "10.1", SettingsFile.GILDING) == [("warning", "remoteConfig")]


def test_the_gravest_problem_comes_first() -> None:
    document = {"splash": {}, "notifcations": {}, "notifications": {"toastExpiry": "soon"}}

    assert said(document) == [
        ("error", "notifications.toastExpiry"),
        ("warning", "splash"),
        ("warning", "notifcations"),
    ]


def test_a_wrong_value_is_found_even_where_the_newest_desktops_do_not_look() -> None:
    assert said({"windowManagement": {"flydownWindows": {"showDelay": "soon"}}}) == [
        ("error", "windowManagement.flydownWindows.showDelay")
    ]


def test_what_is_missing_may_be_in_another_file_but_not_in_an_item_of_an_array() -> None:
    assert said({"autoUpdater": {"updateSource": {"channel": "pilot"}}}) == [("note", "autoUpdater.updateSource.type")]
    assert said({"channels": {"definitions": [{"name": "Blue"}]}}) == [("error", "channels.definitions[0].meta")]


@given(documents)
def test_no_error_of_a_plain_reading_is_lost(document: Any) -> None:
    errors = {
        problem.path for problem in parse_document(SettingsFile.SYSTEM, document).errors if not problem.incomplete
    }

    assert errors <= {problem.path for problem in check_remote(SettingsFile.SYSTEM, document)}
