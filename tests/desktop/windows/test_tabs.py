"""Tab groups under every setting."""

from typing import Any

import pytest

from rostrum.desktop.windows.tabs import (
    NARROWEST,
    TabGroup,
    TabRules,
    add,
    close,
    draw,
    restore,
    rules_for,
    select,
    shown,
)
from rostrum.desktop.windows.tabs import taskbar_title as title
from tests.desktop.test_services_without_windows import settings

THREE = ("a", "b", "c")


def rules(kind: Any = "Web", **members: Any) -> TabRules:
    return rules_for(settings(windowManagement={"group": {"tabs": members}}).window_management.group.tabs, kind)


@pytest.mark.part_of_rule("R-2.16-5")
def test_hidden_tabs_are_loaded_at_once_or_when_they_are_selected() -> None:
    assert restore(THREE, "b", rules()).loaded == {"a", "b", "c"}
    lazy = restore(THREE, "b", rules(loadingStrategy="lazy"))
    assert (lazy.selected, lazy.loaded) == ("b", {"b"})
    assert select(lazy, "c").loaded == {"b", "c"}
    assert select(select(lazy, "c"), "b").loaded == {"b", "c"}
    hidden = add(lazy, "d", rules(loadingStrategy="lazy"), select_it=False)
    assert (hidden.selected, "d" in hidden.loaded) == ("b", False)
    assert "d" in add(lazy, "d", rules(), select_it=False).loaded


def test_a_group_without_its_selected_tab_shows_the_first_one() -> None:
    assert restore(THREE, "gone", rules(loadingStrategy="lazy")).loaded == {"a"}
    assert restore((), None, rules()) == TabGroup(tabs=(), selected=None)


@pytest.mark.part_of_rule("R-2.16-6")
def test_overflow_and_the_way_back_to_the_tab_before_are_for_web_groups_only() -> None:
    both = {"overflow": True, "selectPreviousOnClose": True}
    group = select(select(restore(("a", "b", "c", "d"), "a", rules()), "d"), "b")
    width = 2.5 * NARROWEST
    assert shown(group, width, rules(**both)) == (("a", "b"), ("c", "d"))
    assert shown(group, width, rules("Classic", **both)) == (("a", "b", "c", "d"), ())
    assert shown(group, width, rules()) == (("a", "b", "c", "d"), ())
    assert close(group, "b", rules(**both)).selected == "d"
    assert close(group, "b", rules("Classic", **both)).selected == "c"
    assert close(group, "b", rules()).selected == "c"


def test_the_selected_tab_is_always_in_the_strip() -> None:
    group = select(restore(THREE, "a", rules()), "c")
    assert shown(group, 2 * NARROWEST, rules(overflow=True)) == (("a", "c"), ("b",))
    assert shown(group, 0, rules(overflow=True)) == (("c",), ("a", "b"))


def test_closing_leads_back_through_the_tabs_that_are_still_there() -> None:
    back = rules(selectPreviousOnClose=True)
    group = select(select(restore(THREE, "a", back), "b"), "c")
    group = close(close(group, "b", back), "c", back)
    assert (group.selected, group.tabs) == ("a", ("a",))
    group = close(group, "a", back)
    assert (group.selected, group.tabs, group.loaded) == (None, (), frozenset())
    assert close(group, "a", back) == group
    assert select(group, "a") == group


@pytest.mark.part_of_rule("R-2.16-4")
def test_the_default_taskbar_title_is_for_a_single_tab_and_gives_way_to_the_selected_tabs_title() -> None:
    titles = {"a": "Clock", "b": "Mail"}
    single, two = restore(("a",), "a", rules()), restore(("a", "b"), "b", rules())
    assert title(single, titles, "Mine", rules()) == "Group"
    assert title(single, titles, "Mine", rules(defaultTaskbarTitle="Desk")) == "Desk"
    assert title(two, titles, "Mine", rules(defaultTaskbarTitle="Desk")) == "Mine"
    selected = rules(defaultTaskbarTitle="Desk", showSelectedTabTitleInTaskbar=True)
    assert [title(one, titles, "Mine", selected) for one in (single, two)] == ["Clock", "Mail"]


def test_a_single_tab_is_drawn_flat_only_when_the_settings_say_so() -> None:
    def flat(*tabs: str, **members: Any) -> bool:
        group, titles = restore(tabs, tabs[0], rules()), {tab: tab for tab in tabs}
        return draw(group, rules(**members), identity="t", width=500, titles=titles, group_title="").flat

    assert [flat("a"), flat("a", flatWhenSingle=True), flat("a", "b", flatWhenSingle=True)] == [False, True, False]
