"""The arrangement of a workspace: the format of layouts, and what holds after any operations."""

from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rostrum.contracts.layouts.workspace import WorkspaceState
from rostrum.desktop.windows.workspace_tree import BadArrangement, Item, Tree, read_items, read_state

WINDOWS = some.fixed_dictionaries(
    {"type": some.just("window"), "config": some.fixed_dictionaries({"appName": some.sampled_from("abc")})}
)
GROUPS = some.fixed_dictionaries({"type": some.just("group"), "children": some.lists(WINDOWS, min_size=1, max_size=3)})
PARTS = some.recursive(
    GROUPS | WINDOWS,
    lambda inner: some.fixed_dictionaries(
        {"type": some.sampled_from(["row", "column"]), "children": some.lists(inner, min_size=1, max_size=3)}
    ),
    max_leaves=8,
)
STATES = some.fixed_dictionaries(
    {
        "children": some.lists(PARTS, max_size=3),
        "config": some.fixed_dictionaries(
            {
                "floating": some.lists(
                    some.fixed_dictionaries(
                        {"bounds": some.just({"left": 1, "top": 2, "width": 300, "height": 200}), "group": GROUPS}
                    ),
                    max_size=2,
                )
            }
        ),
    }
)


def tree_of(state: Any) -> Tree:
    numbers = count(1)
    return Tree(read_state(state, lambda: f"i{next(numbers)}"))


def check(tree: Tree) -> None:
    items = [*tree.all()]
    assert len({item.id for item in items}) == len(items)
    for item in items:
        parent = tree.parent_of(item)
        assert item.kind != "window" or (parent is not None and parent.kind == "group")
        assert item.kind == "window" or item.children
        assert item.kind != "group" or item.selected in item.children


@settings(max_examples=30)
@given(STATES)
def test_a_layout_is_read_as_it_was_written_and_the_manager_accepts_it(state: Any) -> None:
    tree = tree_of(state)
    check(tree)
    written = tree.layout()
    assert tree_of(written).layout() == written
    WorkspaceState.model_validate({"type": "workspace", **written})


@settings(max_examples=30)
@given(STATES, some.lists(some.tuples(some.sampled_from(["remove", "move", "bundle", "add"]), some.integers(0, 50))))
def test_every_window_is_in_a_group_and_no_box_is_empty_after_any_operations(state: Any, steps: list[Any]) -> None:
    tree, numbers = tree_of(state), count(1000)

    def new_id() -> str:
        return f"n{next(numbers)}"

    for what, number in steps:
        windows, items = tree.windows(), [*tree.all()]
        boxes = [item for item in items if item.kind != "window"]
        if what == "add":
            into = boxes[number % len(boxes)] if boxes and number % 2 else None
            tree.add(Item(id=new_id(), kind="window", app="new"), into, new_id)
        elif what == "remove" and items:
            tree.remove(items[number % len(items)])
        elif what == "move" and windows:
            window = windows[number % len(windows)]
            tree.remove(window)
            left = [item for item in tree.all() if item.kind != "window"]
            tree.add(window, left[number % len(left)] if left else None, new_id)
            assert window in tree.windows()
        elif what == "bundle" and tree.items and tree.items[0].bounds is None:
            tree.bundle("column", None, new_id)
        check(tree)


@settings(max_examples=30)
@given(STATES)
def test_a_page_that_sends_what_it_was_given_changes_nothing(state: Any) -> None:
    tree, numbers = tree_of(state), count(1000)
    before = tree.layout()
    names = [(item.id, item.kind) for item in tree.all()]
    tree.rearrange(before, [window.id for window in tree.windows()], lambda: f"n{next(numbers)}")
    assert tree.layout() == before
    assert {one for one in names if one[1] == "window"} == {(one.id, "window") for one in tree.windows()}
    check(tree)


def test_what_is_too_deep_is_refused() -> None:
    deep: Any = {"type": "window", "appName": "a"}
    for _ in range(30):
        deep = {"type": "row", "children": [deep]}
    with pytest.raises(BadArrangement, match="too many parts"):
        read_items([deep], lambda: "x")
