"""The page that draws web groups: which app it belongs to, and what it says it has drawn."""

from typing import Any

import pytest

from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.web_groups import GroupPage, group_page, layout_of


def rectangle(left: float, top: float, width: float, height: float) -> dict[str, float]:
    return {"left": left, "top": top, "width": width, "height": height}


LAYOUT: dict[str, Any] = {
    "header": 33.6,
    "frames": {
        "a": {"bounds": rectangle(0, 34, 400, 300), "slot": rectangle(4, 68, 392, 262)},
        "t": {"bounds": rectangle(404, 34, 300, 300), "slot": rectangle(404, 74.4, 300, 259.6)},
    },
    "tabs": {
        "b": {"frame": "t", "bounds": rectangle(404, 34, 100, 40)},
        "c": {"frame": "t", "bounds": rectangle(504, 34, 100, 40)},
    },
    "areas": [
        {"type": "group", "id": "g", "bounds": rectangle(0, 0, 600, 34), "caption": rectangle(6, 4, 50, 26)},
        {"type": "tabBar", "id": "t", "bounds": rectangle(604, 34, 60, 40), "caption": None},
    ],
}


def test_the_first_app_of_type_web_group_draws_groups() -> None:
    window = {"type": "window", "details": {"url": "https://window"}}
    assert group_page({"one": window}) is None
    apps = {
        "two": {
            "type": "WebGroup",
            "details": {"url": "https://two", "timeout": 3, "retryCount": 2, "retryInterval": 7},
        },
        "three": {"type": "webGroup", "details": {"url": "https://three", "timeout": -1, "retryCount": True}},
    }
    assert group_page({"one": window, **apps}) == GroupPage(app="three", url="https://three")
    assert group_page({"two": apps["two"]}) == GroupPage(
        app="two", url="https://two", timeout=3, retries=2, retry_interval=7
    )


def test_a_layout_determines_the_positions_of_windows_and_tabs() -> None:
    layout = layout_of(LAYOUT)
    assert (layout.header, layout.insets) == (34, {"a": (4, 34, 4, 4), "t": (0, 40, 0, 0)})
    assert [(one.type, one.bounds.width, one.caption) for one in layout.areas] == [
        ("group", 600, Bounds(6, 4, 50, 26)),
        ("tabBar", 60, None),
    ]
    assert [layout.index_at("t", x, 50) for x in (410, 500, 560, 700)] == [0, 1, 2, 2]
    # Beside the tabs, below them, and in a place without tabs.
    assert [layout.index_at("t", 300, 50), layout.index_at("t", 410, 90), layout.index_at("a", 10, 50)] == [None] * 3


@pytest.mark.parametrize(
    "changed",
    [
        {"frames": None},
        {"tabs": []},
        {"areas": {}},
        {"header": "34"},
        {"header": float("nan")},
        {"frames": {"a": 1}},
        {"frames": {"a": {"bounds": rectangle(0, 0, 1, 1)}}},
        {"frames": {"a": {"bounds": {"left": 1}, "slot": rectangle(0, 0, 1, 1)}}},
        {"tabs": {"b": {"frame": 3, "bounds": rectangle(0, 0, 1, 1)}}},
        {"tabs": {"b": {"frame": "x" * 501, "bounds": rectangle(0, 0, 1, 1)}}},
        {"areas": [{"type": "desk", "id": "g", "bounds": rectangle(0, 0, 1, 1)}]},
        {"areas": [LAYOUT["areas"][0]] * 1001},
    ],
)
def test_what_is_no_layout_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be|a layout has|is expected"):
        layout_of({**LAYOUT, **changed})


def test_sizes_are_limited_to_what_a_screen_can_show() -> None:
    huge = {
        **LAYOUT,
        "header": 1e9,
        "frames": {"a": {"bounds": rectangle(0, 0, 1e300, 9), "slot": rectangle(-1e9, 0, 1, 1)}},
    }
    layout = layout_of(huge)
    assert (layout.header, layout.places["a"].width, layout.insets["a"][0]) == (300, 20_000, 0)
