"""windows: what holds for all windows."""

import pytest

from rostrum.settings.catalogue import catalogue
from tests.settings.reading import in_force, said, taken

SELECTOR = "windows.channelSelector"


@pytest.mark.rule("R-2.17-1")
def test_the_channel_selector_is_off_and_only_some_apps_have_one() -> None:
    assert in_force(f"{SELECTOR}.enabled") is False
    with_selector = {"window", "exe", "clickonce", "childWindow", "citrix"}
    for name in ("enabled", "channelId", "readOnly", "type"):
        assert set(catalogue()[f"{SELECTOR}.{name}"].app_types) == with_selector


@pytest.mark.rule("R-2.17-2")
def test_a_channel_to_join_is_named() -> None:
    assert in_force(f"{SELECTOR}.channelId") is None
    assert taken(f"{SELECTOR}.channelId", "Red") == "Red"


@pytest.mark.rule("R-2.17-3")
def test_there_are_selectors_for_one_channel_and_for_many() -> None:
    assert in_force(f"{SELECTOR}.type") == "single"
    for kind in ("directionalSingle", "multi", "directionalMulti"):
        assert taken(f"{SELECTOR}.type", kind) == kind
    assert said({"windows": {"channelSelector": {"type": "both"}}}) == [("error", f"{SELECTOR}.type")]


@pytest.mark.rule("R-2.17-4")
def test_preload_scripts_are_for_pages_and_not_put_in_as_base64_unless_asked() -> None:
    assert set(catalogue()["windows.preloadScripts"].app_types) == {"window", "workspaces", "webGroup"}
    scripts = {"scripts": ["https://one.example/a.js"]}
    assert taken("windows.preloadScripts", scripts) == {**scripts, "useBase64PreloadScripts": False}
