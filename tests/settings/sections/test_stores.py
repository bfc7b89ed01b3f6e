"""The stores of apps, layouts and preferences."""

from typing import Any

import pytest

from rostrum.settings.parse import parse_system
from rostrum.settings.scope import AppType
from tests.settings.reading import in_force, said, taken, tree

PATH = {"type": "path", "details": {"path": "apps"}}
REST = {"type": "rest", "details": {"url": "https://apps.example"}}


def first(*stores: Any, key: str = "appStores") -> dict[str, Any]:
    """Read stores without a problem and give the first of them."""
    parsed = parse_system({key: list(stores)})
    assert parsed.problems == ()
    read: dict[str, Any] = parsed.settings.model_dump(mode="json", by_alias=True)[key][0]
    return read


@pytest.mark.rule("R-2.12-1", "R-2.12-2")
@pytest.mark.parametrize("store", [PATH, REST, {"type": "server"}, {"type": "in-memory"}], ids=lambda one: one["type"])
def test_a_store_is_required_unless_configured_otherwise(store: dict[str, Any]) -> None:
    assert first(store)["isRequired"] is True
    assert first({**store, "isRequired": False})["isRequired"] is False


@pytest.mark.rule("R-2.12-3")
def test_details_of_each_app_type_have_a_place_in_the_overrides() -> None:
    overrides = {"hidden": True, **{kind.value: {"width": 500} for kind in AppType}}
    assert first({**PATH, "appDefinitionOverrides": overrides})["appDefinitionOverrides"] == overrides
    wrong = {"appStores": [{**PATH, "appDefinitionOverrides": {"window": 5}}]}
    assert said(wrong) == [("error", "appStores[0].appDefinitionOverrides.window")]


@pytest.mark.rule("R-2.12-5")
@pytest.mark.parametrize("path", ["apps", "/srv/apps", "C:\\apps", "%APPS%/mine"])
def test_a_folder_is_relative_or_absolute_or_holds_variables(path: str) -> None:
    assert first({"type": "path", "details": {"path": path}})["details"]["path"] == path


@pytest.mark.rule("R-2.12-6")
@pytest.mark.parametrize("store", [PATH, REST], ids=lambda one: one["type"])
@pytest.mark.parametrize("key", ["appStores", "systemAppStores"])
def test_a_store_is_not_trusted_unless_configured(store: dict[str, Any], key: str) -> None:
    assert first(store, key=key)["details"]["trusted"] is False
    trusted = {**store, "details": {**store["details"], "trusted": True}}
    assert first(trusted, key=key)["details"]["trusted"] is True


@pytest.mark.rule("R-2.12-7")
def test_a_service_needs_an_address() -> None:
    assert said({"appStores": [{"type": "rest", "details": {}}]}) == [("error", "appStores[0].details.url")]


@pytest.mark.rule(
    "R-2.12-8", "R-2.12-9", "R-2.12-10", "R-2.12-11", "R-5-8", "L-D-5", "L-D-6", "L-D-7", "L-D-8", "L-D-9"
)
def test_a_service_is_polled_cached_retried_and_its_certificate_checked() -> None:
    assert first(REST)["details"] == {
        "url": "https://apps.example",
        "auth": "no-auth",
        "cacheFolder": None,
        "enablePersistentCache": True,
        "pollInterval": 60000,
        "proxy": None,
        "readCacheAfter": 30000,
        "rejectUnauthorized": True,
        "requestTimeout": 20000,
        "startRetries": 5,
        "startRetryInterval": 10000,
        "trusted": False,
    }


@pytest.mark.rule("R-2.12-12")
def test_the_in_memory_store_must_be_configured_and_then_all_apps_may_use_it() -> None:
    assert parse_system({}).settings.app_stores is None
    assert first({"type": "in-memory"})["details"] == {"allowedApps": ["*"]}
    assert first({"type": "in-memory", "details": {"allowedApps": ["a"]}})["details"] == {"allowedApps": ["a"]}


@pytest.mark.rule("R-2.12-13", "R-2.12-14")
def test_stores_of_system_apps_are_a_list_of_their_own() -> None:
    settings = parse_system({"systemAppStores": [PATH, REST]}).settings
    assert [store.type for store in settings.system_app_stores or ()] == ["path", "rest"]
    assert settings.app_stores is None


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


@pytest.mark.rule("R-2.13-1")
def test_the_default_global_layout_is_restored_unless_turned_off() -> None:
    assert in_force("layouts.restoreDefaultGlobalOnStartup") is True
    assert taken("layouts.restoreDefaultGlobalOnStartup", value=False) is False


@pytest.mark.rule("R-2.13-2")
def test_a_component_may_have_8192_pixels_unless_set_otherwise() -> None:
    assert in_force("layouts.components.maxSize") == 8192
    assert taken("layouts.components.maxSize", 100) == 100


@pytest.mark.rule("R-2.13-3")
def test_the_loader_can_be_disabled_sized_titled_and_replaced() -> None:
    own = {"disabled": True, "height": 1, "width": 2, "title": "Loading", "url": "file:///%ASSETS%/own.html"}
    assert taken("layouts.splash", own) == own


@pytest.mark.rule("R-2.13-4", "R-2.13-6")
def test_layouts_are_kept_in_files_unless_a_service_or_the_manager_is_named() -> None:
    assert in_force("layouts.store.type") == "file"
    assert taken("layouts.store.type", "server") == "server"
    assert taken("layouts.store.type", "rest") == "rest"
    assert said(tree("layouts.store.type", "in-memory")) == [("error", "layouts.store.type")]


@pytest.mark.rule("R-2.13-5")
@pytest.mark.parametrize("kind", ["file", "server"])
def test_each_setting_for_a_service_is_noted_when_there_is_none(kind: str) -> None:
    service = {
        "restURL": "https://layouts.example",
        "restFetchInterval": 5,
        "restClientAuth": "no-auth",
        "rejectUnauthorized": False,
    }
    assert said({"layouts": {"store": {"type": kind, **service}}}) == [
        ("note", f"layouts.store.{name}") for name in service
    ]
    parsed = parse_system({"layouts": {"store": {"type": "rest", **service}}})
    assert parsed.problems == ()
    assert parsed.settings.layouts.store.model_dump(by_alias=True) == {"type": "rest", **service}


@pytest.mark.rule("R-2.13-5")
def test_a_service_is_asked_every_minute_as_the_signed_in_user_over_a_checked_connection() -> None:
    store = in_force("layouts.store", {"layouts": {"store": {"type": "rest"}}})
    assert (store["restFetchInterval"], store["restClientAuth"], store["rejectUnauthorized"]) == (60, "negotiate", True)
