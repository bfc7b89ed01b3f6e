"""How windows are drawn, in each mode and stream."""

from typing import Any

import pytest

from rostrum.desktop.windows.surface import Surface, surface_of
from rostrum.settings.parse import parse_system
from rostrum.settings.running import stream_of
from rostrum.settings.scope import AppType, Mode

REGIONS: dict[str, Any] = {"hardwareAcceleration": {"enabled": True, "transparency": {"mode": "UseAppRegion"}}}


def surface(kind: str = "window", version: str = "10.1", *, advanced: bool = False, **management: Any) -> Surface:
    document = {"windowManagement": management} | ({"advancedMode": True} if advanced else {})
    mode = Mode.ADVANCED if advanced else Mode.DEFAULT
    return surface_of(kind, parse_system(document, version=version).settings, mode, stream_of(version))


def accelerated(*, on: bool) -> dict[str, Any]:
    return {"hardwareAcceleration": {"enabled": on}}


@pytest.mark.setting("windowManagement.hardwareAcceleration.enabled")
@pytest.mark.rule("R-2.16-12")
def test_the_graphics_card_always_draws_windows_in_the_default_mode_and_when_set_in_the_advanced_one() -> None:
    off, on = (accelerated(on=value) for value in (False, True))
    assert [surface(**given).accelerated for given in ({}, off, on)] == [True, True, True]
    assert [surface(advanced=True, **given).accelerated for given in ({}, off, on)] == [False, False, True]
    others = [str(kind) for kind in AppType if kind != "window"]
    assert {surface(kind, advanced=True, **on).accelerated for kind in others} == {None}


@pytest.mark.setting("windowManagement.hardwareAcceleration.transparency.mode")
@pytest.mark.rule("R-2.16-13")
def test_the_9_0_stream_determines_whose_regions_make_an_accelerated_window_transparent() -> None:
    assert surface(version="9.15", **accelerated(on=True)).regions == "UseRegions"
    assert surface(version="9.15", **REGIONS).regions == "UseAppRegion"
    assert surface("webGroup", version="9.15", **REGIONS).regions is None
    assert surface(**REGIONS).regions is None


@pytest.mark.setting("windowManagement.transparencyControl.mode", "windowManagement.transparencyControl.keyColor")
@pytest.mark.rule("R-2.16-16")
def test_the_way_of_transparency_counts_in_the_advanced_mode_and_the_colour_with_key_color() -> None:
    ways = {
        mode: surface(advanced=True, transparencyControl={"mode": mode, "keyColor": "#010203"})
        for mode in ("Transparent", "Auto", "KeyColor", "Regions")
    }
    assert {mode: one.transparency for mode, one in ways.items()} == {
        "Transparent": "Transparent",
        "Auto": "Transparent",
        "KeyColor": "KeyColor",
        "Regions": "Regions",
    }
    assert {mode for mode, one in ways.items() if one.key_color == "#010203"} == {"KeyColor"}
    assert surface(advanced=True, transparencyControl={"mode": "KeyColor"}).key_color == "#FD12EF"
    assert surface(transparencyControl={"mode": "KeyColor"}).transparency is None
