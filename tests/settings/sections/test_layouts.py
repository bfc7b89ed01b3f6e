"""layouts: restoring, the loader, the store."""

import pytest

from rostrum.settings.parse import parse_system
from tests.settings.reading import in_force, said, taken, tree


@pytest.mark.rule("R-2.13-1")
def test_the_default_global_layout_is_restored_unless_turned_off() -> None:
    assert in_force("layouts.restoreDefaultGlobalOnStartup") is True
    assert taken("layouts.restoreDefaultGlobalOnStartup", value=False) is False


@pytest.mark.rule("R-2.13-2")
def test_a_component_may_have_8192_pixels_unless_told_otherwise() -> None:
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
