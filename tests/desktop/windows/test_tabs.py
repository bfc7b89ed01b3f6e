"""Tab groups under every setting."""

from typing import Any

import pytest

from rostrum.desktop.windows.tabs import (
    NARROWEST,
    PINNED,
    TabGroup,
    TabRules,
    add,
    close,
    draw,
    pin,
    reorder,
    restore,
    rules_for,
    select,
    show_header,
    shown,
)
from rostrum.desktop.windows.tabs import taskbar_title as title
from tests.desktop.test_services_without_windows import settings

THREE = ("a", "b", "c")


def rules(kind: Any = "Web", **members: Any) -> TabRules:
    return rules_for(settings(windowManagement={"group": {"tabs": members}}).window_management.group.tabs, kind)


def strip(group: TabGroup, width: float, rules: TabRules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tabs of a strip and of its overflow menu."""
    drawing = draw(group, rules, identity="t", titles={}, group_title="")
    first, rest = shown(drawing.tabs, drawing.selected, width, overflow=drawing.overflow)
    return tuple(tab.instance for tab in first), tuple(tab.instance for tab in rest)


@pytest.mark.rule("R-2.16-5")
def test_hidden_tabs_are_loaded_at_once_or_when_they_are_selected() -> None:
    assert restore(THREE, "b", rules()).loaded == {"a", "b", "c"}
    lazy = restore(THREE, "b", rules(loadingStrategy="lazy"))
    assert (lazy.selected, lazy.loaded) == ("b", frozenset({"b"}))
    assert select(lazy, "c").loaded == {"b", "c"}
    assert select(select(lazy, "c"), "b").loaded == {"b", "c"}
    hidden = add(lazy, "d", rules(loadingStrategy="lazy"), select_it=False)
    assert (hidden.selected, "d" in hidden.loaded) == ("b", False)
    assert "d" in add(lazy, "d", rules(), select_it=False).loaded


def test_a_group_without_its_selected_tab_shows_the_first_one() -> None:
    assert restore(THREE, "gone", rules(loadingStrategy="lazy")).loaded == {"a"}
    assert restore((), None, rules()) == TabGroup(tabs=(), selected=None)


@pytest.mark.rule("R-2.16-6")
def test_overflow_and_the_way_back_to_the_tab_before_are_for_web_groups_only() -> None:
    both = {"overflow": True, "selectPreviousOnClose": True}
    group = select(select(restore(("a", "b", "c", "d"), "a", rules()), "d"), "b")
    width = 2.5 * NARROWEST
    assert strip(group, width, rules(**both)) == (("a", "b"), ("c", "d"))
    assert strip(group, width, rules("Classic", **both)) == (("a", "b", "c", "d"), ())
    assert strip(group, width, rules()) == (("a", "b", "c", "d"), ())
    assert close(group, "b", rules(**both)).selected == "d"
    assert close(group, "b", rules("Classic", **both)).selected == "c"
    assert close(group, "b", rules()).selected == "c"


def test_the_selected_tab_is_always_in_the_strip() -> None:
    group = select(restore(THREE, "a", rules()), "c")
    assert strip(group, 2 * NARROWEST, rules(overflow=True)) == (("a", "c"), ("b",))
    assert strip(group, 0, rules(overflow=True)) == (("c",), ("a", "b"))


def test_closing_leads_back_through_the_tabs_that_are_still_there() -> None:
    back = rules(selectPreviousOnClose=True)
    group = select(select(restore(THREE, "a", back), "b"), "c")
    group = close(close(group, "b", back), "c", back)
    assert (group.selected, group.tabs) == ("a", ("a",))
    group = close(group, "a", back)
    assert (group.selected, group.tabs, group.loaded) == (None, (), frozenset())
    assert close(group, "a", back) == group
    assert select(group, "a") == group


@pytest.mark.rule("R-2.16-4")
def test_the_default_taskbar_title_is_for_a_single_tab_and_gives_way_to_the_selected_tabs_title() -> None:
    titles = {"a": "Clock", "b": "Mail"}
    single, two = restore(("a",), "a", rules()), restore(("a", "b"), "b", rules())
    assert title(single, titles, "Mine", rules()) == "Group"
    assert title(single, titles, "Mine", rules(defaultTaskbarTitle="Desk")) == "Desk"
    assert title(two, titles, "Mine", rules(defaultTaskbarTitle="Desk")) == "Mine"
    selected = rules(defaultTaskbarTitle="Desk", showSelectedTabTitleInTaskbar=True)
    assert [title(one, titles, "Mine", selected) for one in (single, two)] == ["Clock", "Mail"]


@pytest.mark.setting("windowManagement.group.tabs.flatWhenSingle")
def test_a_single_tab_is_drawn_flat_only_if_configured() -> None:
    def flat(*tabs: str, **members: Any) -> bool:
        group, titles = restore(tabs, tabs[0], rules()), {tab: tab for tab in tabs}
        return draw(group, rules(**members), identity="t", titles=titles, group_title="").flat

    assert [flat("a"), flat("a", flatWhenSingle=True), flat("a", "b", flatWhenSingle=True)] == [False, True, False]


def test_a_tab_is_added_at_an_index_and_moved_to_another_one() -> None:
    group = restore(THREE, "a", rules())
    assert add(group, "d", rules()).tabs == ("a", "b", "c", "d")
    assert add(group, "d", rules(), index=1).tabs == ("a", "d", "b", "c")
    assert add(group, "d", rules(), index=99).tabs == ("a", "b", "c", "d")
    assert add(group, "d", rules(), index=-5).tabs == ("d", "a", "b", "c")
    assert add(group, "a", rules(), index=2).tabs == ("b", "c", "a")
    assert [reorder(group, "a", index).tabs for index in (-1, 0, 1, 2, 3)] == [
        ("a", "b", "c"),
        ("a", "b", "c"),
        ("b", "a", "c"),
        ("b", "c", "a"),
        ("b", "c", "a"),
    ]
    assert reorder(group, "gone", 0) == group


def test_pinned_tabs_stay_at_the_start_of_the_strip() -> None:
    group = pin(pin(restore(THREE, "a", rules()), "c", pinned=True), "b", pinned=True)
    assert (group.tabs, group.pinned) == (("c", "b", "a"), frozenset({"b", "c"}))
    assert reorder(group, "a", 0).tabs == ("c", "b", "a")
    assert reorder(group, "b", 0).tabs == ("b", "c", "a")
    assert reorder(group, "c", 9).tabs == ("b", "c", "a")
    assert add(group, "d", rules(), index=0).tabs == ("c", "b", "d", "a")
    loose = pin(group, "c", pinned=False)
    assert (loose.tabs, loose.pinned) == (("b", "c", "a"), frozenset({"b"}))
    assert pin(group, "gone", pinned=True) == group
    assert pin(group, "c", pinned=True) == group
    assert close(group, "c", rules()).pinned == {"b"}
    assert restore(THREE, "a", rules(), pinned=("c", "gone")).tabs == ("c", "a", "b")


def test_a_pinned_tab_is_narrow_and_the_others_share_the_room_that_is_left() -> None:
    group = pin(restore(THREE, "a", rules()), "a", pinned=True)
    assert strip(group, PINNED + NARROWEST, rules(overflow=True)) == (("a", "b"), ("c",))
    assert strip(group, PINNED + 2 * NARROWEST, rules(overflow=True)) == (THREE, ())


def test_a_tab_without_a_header_is_not_in_the_strip_and_a_strip_without_tabs_disappears() -> None:
    def has_strip(group: TabGroup) -> bool:
        return draw(group, rules(), identity="t", titles={}, group_title="").has_strip

    group = show_header(restore(THREE, "a", rules()), "a", visible=False)
    assert strip(group, 500, rules()) == (("b", "c"), ())
    assert strip(group, NARROWEST, rules(overflow=True)) == (("b",), ("c",))
    assert has_strip(group)
    none = show_header(show_header(group, "b", visible=False), "c", visible=False)
    assert not has_strip(none)
    assert has_strip(show_header(none, "b", visible=True))
    assert show_header(group, "gone", visible=False) == group
    assert close(none, "b", rules()).headless == {"a", "c"}


def test_a_drawing_names_each_tab_and_whether_people_may_close_it() -> None:
    group = pin(restore(("a", "b"), "a", rules()), "b", pinned=True)
    drawing = draw(group, rules(), identity="t", titles={"a": "Clock", "b": "Mail"}, group_title="", fixed=["a"])
    assert [(tab.instance, tab.title, tab.pinned, tab.closable) for tab in drawing.tabs] == [
        ("b", "Mail", True, True),
        ("a", "Clock", False, False),
    ]
