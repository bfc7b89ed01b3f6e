"""What windows show around their pages."""

from typing import Any

import pytest

from rostrum.desktop.windows.chrome import Chrome, chrome_of, first_channel
from rostrum.settings.scope import AppType, Mode
from tests.desktop.test_services_without_windows import settings

KINDS = [str(kind) for kind in AppType]
WITH_SELECTOR = {"window", "exe", "clickonce", "childWindow", "citrix"}


def shown(kind: str = "window", details: Any = None, mode: Mode = Mode.DEFAULT, **document: Any) -> Chrome:
    found = settings(advancedMode=mode is Mode.ADVANCED, **document)
    return chrome_of({"type": kind, "details": details or {}}, found, mode)


@pytest.mark.rule("R-2.6-20")
@pytest.mark.rule("R-2.6-7")
def test_a_web_group_page_may_use_the_systems_buttons_in_the_default_mode_only() -> None:
    wanted = {"useOSSystemButtons": True}
    assert shown("webGroup", wanted).system_buttons
    assert not shown("webGroup").system_buttons
    assert not shown("window", wanted).system_buttons
    assert not shown("webGroup", wanted, Mode.ADVANCED).system_buttons


@pytest.mark.rule("R-2.6-12")
def test_move_areas_and_buttons_of_html_windows_have_no_effect_in_the_default_mode() -> None:
    html = {"mode": "html", "moveAreaThickness": "0, 20, 0, 0", "moveAreaTopMargin": "5, 0, 5, 0"}
    html |= {"buttonsVisibility": "always"}
    assert (shown("window", html).move_area, shown("window", html).buttons) == (None, None)
    advanced = shown("window", html, Mode.ADVANCED)
    assert advanced.move_area is not None
    assert (advanced.move_area.thickness, advanced.move_area.margins["top"]) == ("0, 20, 0, 0", "5, 0, 5, 0")
    assert advanced.buttons == "always"
    assert shown("window", {**html, "hasMoveAreas": False}, Mode.ADVANCED).move_area is None
    assert shown("window", {**html, "mode": "flat"}, Mode.ADVANCED).move_area is None


@pytest.mark.rule("R-2.6-14")
@pytest.mark.parametrize("kind", ["window", "exe"])
def test_there_is_a_jump_list_in_the_advanced_mode_and_none_in_the_default_one(kind: str) -> None:
    listed = {"jumpList": {"categories": [{"title": "Actions"}]}}
    assert shown(kind, listed).jump_list is None
    assert shown(kind, listed, Mode.ADVANCED).jump_list == listed["jumpList"]
    assert shown(kind, {"jumpList": {"enabled": False}}, Mode.ADVANCED).jump_list is None


@pytest.mark.setting("windowManagement.editWindowTitle")
@pytest.mark.rule("R-2.16-15")
@pytest.mark.parametrize(("look", "editable"), [(None, True), ("flat", True), ("tab", True), ("html", False)])
def test_titles_of_flat_and_tab_windows_are_editable_unless_configured_otherwise(
    look: str | None, editable: bool
) -> None:
    details = {} if look is None else {"mode": look}
    assert shown("window", details).title_editable is editable
    assert not shown("window", details, windowManagement={"editWindowTitle": False}).title_editable
    assert not shown("workspaces", details).title_editable


@pytest.mark.setting("windows.channelSelector.enabled", "windows.channelSelector.readOnly")
@pytest.mark.rule("R-2.17-1")
@pytest.mark.parametrize("kind", KINDS)
def test_the_channel_selector_is_off_unless_switched_on_and_only_some_kinds_of_apps_have_one(kind: str) -> None:
    on: dict[str, Any] = {"windows": {"channelSelector": {"enabled": True, "readOnly": True, "channelId": "Red"}}}
    assert shown(kind).selector is None
    selector = shown(kind, **on).selector
    assert (selector is not None) == (kind in WITH_SELECTOR)
    if selector is not None:
        assert (selector.type, selector.read_only, selector.channel) == ("single", True, "Red")
    own = {"channelSelector": {"enabled": True}}
    assert (shown(kind, own).selector is not None) == (kind in WITH_SELECTOR)
    assert shown(kind, {"channelSelector": {"enabled": False}}, **on).selector is None


def test_older_definitions_use_other_names() -> None:
    selector = shown("exe", {"allowChannels": True, "readOnlyChannelSelector": True, "channelId": "Blue"}).selector
    assert selector is not None
    assert (selector.read_only, selector.channel) == (True, "Blue")
    found = settings().windows.channel_selector
    assert first_channel("exe", {"channelId": "Blue"}, found) == "Blue"
    assert first_channel("node", {"channelId": "Blue"}, found) is None
    assert first_channel("exe", {"channelId": 7}, found) is None


@pytest.mark.setting("windows.channelSelector.type")
@pytest.mark.rule("R-2.17-3")
@pytest.mark.parametrize(
    ("written", "classic"),
    [
        ("single", "single"),
        ("directionalSingle", "directionalSingle"),
        ("multi", "single"),
        ("directionalMulti", "directionalSingle"),
    ],
)
def test_several_channels_are_chosen_in_web_groups_only(written: str, classic: str) -> None:
    document: dict[str, Any] = {"windows": {"channelSelector": {"enabled": True, "type": written}}}
    web: dict[str, Any] = {"windowManagement": {"group": {"type": "Web"}}}
    for chrome, expected in (
        (shown("window", **document), written),
        (shown("window", None, Mode.ADVANCED, **document, **web), written),
        (shown("window", None, Mode.ADVANCED, **document), classic),
        (shown("window", {"channelSelector": {"type": written}}, Mode.ADVANCED, **document), classic),
    ):
        assert chrome.selector is not None
        assert chrome.selector.type == expected
