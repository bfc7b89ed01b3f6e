"""autoUpdater: off by default, never more often than every five minutes, and with no address of its own."""

from typing import Any

import pytest

from rostrum.base.problems import json_path
from rostrum.settings.catalogue import catalogue, local_only_paths
from tests.settings.reading import in_force, said

SERVICE = {"type": "Service", "baseUrl": "https://updates.example", "channel": "stable"}


def updater(**members: Any) -> Any:
    return {"autoUpdater": {"updateSource": SERVICE, **members}}


@pytest.mark.rule("R-2.7-1", "R-2.7-2")
def test_updates_are_off_and_users_are_asked_by_default() -> None:
    for document in (None, updater()):
        assert in_force("autoUpdater.enabled", document) is False
        assert in_force("autoUpdater.notifyUser", document) is True
    written = updater(enabled=True, notifyUser=False)
    assert said(written) == []
    assert (in_force("autoUpdater.enabled", written), in_force("autoUpdater.notifyUser", written)) == (True, False)


def test_a_feed_over_plain_http_is_a_warning() -> None:
    for url in ("http://updates.example", "HTTP://192.0.2.1:8080/x", "http://localhost.example"):
        for source in ({**SERVICE, "baseUrl": url}, {"type": "StaticStorage", "baseUrl": url}):
            assert said(updater(updateSource=source)) == [("warning", "autoUpdater.updateSource")]
    for url in ("https://updates.example", "http://localhost:8080", "http://127.0.0.1", "http://[::1]:1/x", "%X%"):
        assert said(updater(updateSource={**SERVICE, "baseUrl": url})) == []


def test_keys_that_cannot_verify_anything_are_errors_and_a_server_cannot_set_them() -> None:
    key = f"ed25519:{'A' * 43}="
    assert said(updater(publicKeys=[key])) == []
    for wrong in ("", "ed25519:", "A" * 43 + "=", "ed25519:AAAA", "ed25519:?"):
        assert said(updater(publicKeys=[key, wrong])) == [("error", "autoUpdater.publicKeys")]
    assert {"autoUpdater.publicKeys", "autoUpdater.allowDowngrade"} <= {json_path(path) for path in local_only_paths()}


@pytest.mark.rule("R-2.7-3", "X-D-5", "L-8-2")
def test_five_minutes_are_the_shortest_interval_and_ten_the_usual_one() -> None:
    assert in_force("autoUpdater.updateIntervalMinutes") == 10
    assert said(updater(updateIntervalMinutes=5)) == []
    assert said(updater(updateIntervalMinutes=4)) == [("error", "autoUpdater.updateIntervalMinutes")]
    assert in_force("autoUpdater.updateIntervalMinutes", updater(updateIntervalMinutes=4)) == 10


@pytest.mark.rule("R-2.7-5")
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
