"""autoUpdater: off by default, never more often than every five minutes, and with no address of its own."""

from typing import Any

import pytest

from rostrum.settings.catalogue import catalogue
from tests.settings.reading import in_force, said

SERVICE = {"type": "Service", "baseUrl": "https://updates.example", "channel": "stable"}


def updater(**members: Any) -> Any:
    return {"autoUpdater": {"updateSource": SERVICE, **members}}


@pytest.mark.part_of_rule("R-2.7-1", "R-2.7-2")
def test_updates_are_off_and_users_are_asked_by_default() -> None:
    for document in (None, updater()):
        assert in_force("autoUpdater.enabled", document) is False
        assert in_force("autoUpdater.notifyUser", document) is True
    written = updater(enabled=True, notifyUser=False)
    assert said(written) == []
    assert (in_force("autoUpdater.enabled", written), in_force("autoUpdater.notifyUser", written)) == (True, False)


@pytest.mark.rule("R-2.7-3", "X-D-5", "L-8-2")
def test_five_minutes_are_the_shortest_interval_and_ten_the_usual_one() -> None:
    assert in_force("autoUpdater.updateIntervalMinutes") == 10
    assert said(updater(updateIntervalMinutes=5)) == []
    assert said(updater(updateIntervalMinutes=4)) == [("error", "autoUpdater.updateIntervalMinutes")]
    assert in_force("autoUpdater.updateIntervalMinutes", updater(updateIntervalMinutes=4)) == 10


@pytest.mark.part_of_rule("R-2.7-5")
def test_a_service_has_the_two_parts_of_its_address() -> None:
    assert in_force("autoUpdater.updateSource", updater()) == SERVICE


@pytest.mark.rule("R-2.7-7")
def test_there_is_no_built_in_place_for_updates() -> None:
    assert in_force("autoUpdater.updateSource") is None
    assert catalogue()["autoUpdater.updateSource"].required
    for kind in ("Service", "StaticStorage"):
        assert said({"autoUpdater": {"updateSource": {"type": kind}}}) == [
            ("error", "autoUpdater.updateSource.baseUrl")
        ]
