"""applicationPreferences: the store of preferences."""

import pytest

from tests.settings.reading import in_force, said, taken


@pytest.mark.rule("R-2.14-1")
def test_preferences_are_kept_in_files_unless_a_service_or_the_manager_is_named() -> None:
    assert in_force("applicationPreferences.store.type") == "file"
    assert taken("applicationPreferences.store.type", "server") == "server"


@pytest.mark.rule("R-2.14-2")
def test_a_service_needs_an_address_and_the_other_types_do_not() -> None:
    path = "applicationPreferences.store"
    for empty in ({}, {"restURL": None}, {"restURL": ""}):
        assert said({"applicationPreferences": {"store": {"type": "rest", **empty}}}) == [("error", f"{path}.restURL")]
    service = {"type": "rest", "restURL": "https://prefs.example"}
    assert taken(path, service)["restURL"] == "https://prefs.example"


@pytest.mark.rule("R-2.14-3", "R-2.14-4")
def test_a_service_is_asked_every_half_hour_and_again_three_times_with_growing_pauses() -> None:
    store = in_force("applicationPreferences.store")
    assert (store["newDataCheckInterval"], store["restRetries"], store["restBackoffFactor"]) == (1800, 3, 1000)


@pytest.mark.rule("R-2.14-3")
def test_the_interval_has_no_effect_without_a_service() -> None:
    store = {"type": "server", "newDataCheckInterval": 5}
    noted = [("note", "applicationPreferences.store.newDataCheckInterval")]
    assert said({"applicationPreferences": {"store": store}}) == noted


@pytest.mark.rule("R-2.14-4")
def test_retries_came_with_9_10() -> None:
    document = {"applicationPreferences": {"store": {"restRetries": 5, "restBackoffFactor": 1}}}
    assert said(document, version="9.10") == []
    assert [severity for severity, _ in said(document, version="9.9")] == ["warning", "warning"]
