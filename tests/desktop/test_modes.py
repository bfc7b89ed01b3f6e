"""What each mode lacks."""

import pytest

from rostrum.desktop.errors import NotInThisMode, NotOnThisSystem
from rostrum.desktop.modes import Feature, check_system, require, supports
from rostrum.settings.scope import Mode


@pytest.mark.rule("R-2.6-8", "R-2.6-11", "R-2.6-12", "R-2.6-14", "R-2.6-15", "X-D-9")
@pytest.mark.rule("R-2.6-10", "R-2.6-16", "R-2.6-17", "R-2.6-18", "R-2.6-22")
@pytest.mark.parametrize("feature", [one for one in Feature if one is not Feature.OS_BUTTONS_IN_WEB_GROUPS])
def test_the_default_mode_refuses_what_it_lacks_by_name(feature: Feature) -> None:
    with pytest.raises(NotInThisMode, match="is not supported in the default mode; it needs the advanced mode"):
        require(Mode.DEFAULT, feature)
    require(Mode.ADVANCED, feature)


@pytest.mark.rule("R-2.6-20")
@pytest.mark.rule("R-2.6-7")
def test_the_advanced_mode_lacks_the_systems_buttons_in_web_groups() -> None:
    assert supports(Mode.DEFAULT, Feature.OS_BUTTONS_IN_WEB_GROUPS)
    with pytest.raises(NotInThisMode, match="the advanced mode; it needs the default mode"):
        require(Mode.ADVANCED, Feature.OS_BUTTONS_IN_WEB_GROUPS)


@pytest.mark.rule("R-2.6-5", "R-2.6-19")
@pytest.mark.parametrize("system", ["win32", "darwin", "linux"])
def test_the_default_mode_runs_everywhere_and_the_advanced_one_on_x11_and_windows(system: str) -> None:
    check_system(Mode.DEFAULT, system, {})
    check_system(Mode.ADVANCED, system, {}, headless=True)
    if system == "darwin":
        with pytest.raises(NotOnThisSystem, match="Linux with X11 and on Windows only"):
            check_system(Mode.ADVANCED, system, {"DISPLAY": ":0"})
    else:
        check_system(Mode.ADVANCED, system, {"DISPLAY": ":0"})


def test_the_advanced_mode_needs_an_x11_display_on_linux() -> None:
    with pytest.raises(NotOnThisSystem, match="DISPLAY is not set"):
        check_system(Mode.ADVANCED, "linux", {"WAYLAND_DISPLAY": "wayland-0"})
    check_system(Mode.ADVANCED, "win32", {})
