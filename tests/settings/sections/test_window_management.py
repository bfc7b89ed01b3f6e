"""windowManagement: groups, snapping and the other ways windows behave together."""

import pytest

from rostrum.settings.catalogue import catalogue
from rostrum.settings.parse import parse_system
from rostrum.settings.problems import Severity
from rostrum.settings.scope import AppType
from tests.settings.reading import in_force, said, taken, tree

GROUP = "windowManagement.group"
ADVANCED = {"advancedMode": True}


@pytest.mark.rule("R-2.6-21")
def test_the_advanced_mode_has_both_kinds_of_groups_and_one_of_them_is_on_its_way_out() -> None:
    assert said({**ADVANCED, **tree(f"{GROUP}.type", "Web")}) == []
    classic = {**ADVANCED, **tree(f"{GROUP}.type", "Classic")}
    (note,) = parse_system(classic).problems
    assert (note.severity, note.path) == (Severity.NOTE, f"{GROUP}.type")
    assert "deprecated" in note.message
    assert in_force(f"{GROUP}.type", classic) == "Classic"
    assert said(ADVANCED) == []


@pytest.mark.rule("R-2.16-2")
def test_groups_fill_their_room_or_keep_their_proportions() -> None:
    assert in_force(f"{GROUP}.externalResizeMode") == "Fill"
    assert taken(f"{GROUP}.externalResizeMode", "Proportional") == "Proportional"


@pytest.mark.rule("R-2.16-3")
def test_the_bar_above_a_group_is_shown_and_its_title_is_edited() -> None:
    assert in_force(f"{GROUP}.header") == {"defaultTitle": "Group", "editTitle": True, "hide": False}


@pytest.mark.rule("R-2.16-4", "R-2.16-5")
@pytest.mark.rule("R-2.16-6")
def test_tabs_load_at_once_and_everything_else_about_them_is_off() -> None:
    assert in_force(f"{GROUP}.tabs") == {
        "defaultTaskbarTitle": "Group",
        "flatWhenSingle": False,
        "loadingStrategy": "direct",
        "overflow": False,
        "selectPreviousOnClose": False,
        "showSelectedTabTitleInTaskbar": False,
    }
    assert taken(f"{GROUP}.tabs.loadingStrategy", "lazy") == "lazy"


@pytest.mark.rule("R-2.16-7")
def test_a_long_press_takes_a_second_and_five_pixels() -> None:
    assert in_force(f"{GROUP}.unlockOnLongMousePress") == {"enabled": True, "timeout": 1000, "tolerance": 5}


@pytest.mark.rule("R-2.16-8", "X-D-6", "L-8-8", "L-8-9", "L-8-10")
@pytest.mark.parametrize(
    ("path", "low", "high", "usual"),
    [
        ("snapping.approachingDistance", 10, 100, 50),
        ("snapping.edgeDistance", 2, 10, 4),
        ("snapToScreenEdges.distance", 5, 30, 20),
    ],
)
def test_distances_have_a_range(path: str, low: int, high: int, usual: int) -> None:
    path = f"windowManagement.{path}"
    assert in_force(path) == usual
    assert [taken(path, value) for value in (low, high)] == [low, high]
    for beyond in (low - 1, high + 1):
        assert said(tree(path, beyond)) == [("error", path)]
        assert in_force(path, tree(path, beyond)) == usual


@pytest.mark.rule("R-2.16-9")
def test_collapsing_belongs_to_classic_groups() -> None:
    document = tree("windowManagement.collapseExpand", {"mode": "Proportional"})
    assert said(document) == [("warning", "windowManagement.collapseExpand")]
    assert in_force("windowManagement.collapseExpand.mode", document) == "Single"
    assert in_force("windowManagement.collapseExpand.mode", {**ADVANCED, **document}) == "Proportional"


@pytest.mark.rule("R-2.16-10")
def test_the_edges_of_the_screen_attract_web_apps_only_and_only_when_asked() -> None:
    assert in_force("windowManagement.snapToScreenEdges.enabled") is False
    for name in ("enabled", "distance"):
        assert catalogue()[f"windowManagement.snapToScreenEdges.{name}"].app_types == (AppType.WINDOW,)


@pytest.mark.rule("R-2.16-11")
@pytest.mark.parametrize("what", ["snapping", "dropInTabGroup", "dropInWorkspace"])
def test_what_alt_does_can_be_swapped_for_each_operation(what: str) -> None:
    path = f"windowManagement.alternateBehavior.{what}.reverse"
    assert in_force(path) is None
    assert taken(path, value=True) is True


@pytest.mark.rule("R-2.16-13")
def test_the_9_0_stream_chooses_whose_regions_make_windows_transparent() -> None:
    path = "windowManagement.hardwareAcceleration.transparency.mode"
    assert in_force(path, version="9.15") == "UseRegions"
    assert taken(path, "UseAppRegion", version="9.15") == "UseAppRegion"


@pytest.mark.rule("R-2.16-15")
def test_titles_of_windows_are_edited_unless_set_otherwise() -> None:
    assert in_force("windowManagement.editWindowTitle") is True
    assert taken("windowManagement.editWindowTitle", value=False) is False


@pytest.mark.rule("R-2.16-16")
@pytest.mark.parametrize(
    ("written", "way"),
    [(None, "Transparent"), ("Auto", "Transparent"), ("KeyColor", "KeyColor"), ("Regions", "Regions")],
)
def test_auto_transparency_is_the_transparent_way(written: str | None, way: str) -> None:
    parsed = parse_system({**ADVANCED, **tree("windowManagement.transparencyControl.mode", written)})
    assert parsed.problems == ()
    assert parsed.settings.window_management.transparency_control.way == way


@pytest.mark.rule("R-2.16-16")
def test_the_key_colour_is_a_colour_and_counts_in_the_advanced_mode_only() -> None:
    path = "windowManagement.transparencyControl.keyColor"
    assert in_force(path) == "#FD12EF"
    assert in_force(path, {**ADVANCED, **tree(path, "teal")}) == "teal"
    assert said({**ADVANCED, **tree(path, "tealish")}) == [("error", path)]
    assert said(tree(path, "teal")) == [("warning", "windowManagement.transparencyControl")]


@pytest.mark.rule("R-2.16-17")
def test_an_operation_of_a_workspace_may_take_half_a_minute() -> None:
    assert in_force("windowManagement.workspaces.operationTimeout") == 30000


@pytest.mark.rule("R-2.16-9")
@pytest.mark.rule("R-2.16-6")
def test_what_the_kind_of_groups_makes_idle_is_noted_where_it_stands() -> None:
    tabs = tree(f"{GROUP}.tabs", {"overflow": True, "selectPreviousOnClose": False})
    assert said(tabs) == []
    assert said({**ADVANCED, **tabs}) == [("note", f"{GROUP}.tabs.overflow")]
    collapsing = {"collapseExpand": {"mode": "Proportional"}}
    assert said({**ADVANCED, "windowManagement": collapsing}) == []
    assert said({**ADVANCED, "windowManagement": {"group": {"type": "Web"}, **collapsing}}) == [
        ("note", "windowManagement.collapseExpand.mode")
    ]
    assert said({"windowManagement": collapsing}) == [("warning", "windowManagement.collapseExpand")]
