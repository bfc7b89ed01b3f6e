"""appStores and systemAppStores: what an entry may say, and what holds when it says nothing."""

from typing import Any

import pytest

from rostrum.settings.parse import parse_system
from rostrum.settings.scope import AppType
from tests.settings.reading import said

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
def test_a_store_is_required_unless_it_says_otherwise(store: dict[str, Any]) -> None:
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
def test_a_store_is_not_trusted_unless_it_says_so(store: dict[str, Any], key: str) -> None:
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
def test_nobody_has_a_store_in_memory_who_did_not_ask_and_then_all_apps_may_use_it() -> None:
    assert parse_system({}).settings.app_stores is None
    assert first({"type": "in-memory"})["details"] == {"allowedApps": ["*"]}
    assert first({"type": "in-memory", "details": {"allowedApps": ["a"]}})["details"] == {"allowedApps": ["a"]}


@pytest.mark.rule("R-2.12-13", "R-2.12-14")
def test_stores_of_system_apps_are_a_list_of_their_own() -> None:
    settings = parse_system({"systemAppStores": [PATH, REST]}).settings
    assert [store.type for store in settings.system_app_stores or ()] == ["path", "rest"]
    assert settings.app_stores is None
