"""Windows placed relative to their display."""

from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.placement import place

AREA = Bounds(100, 50, 1000, 800)
OWN = Bounds(300, 300, 200, 100)


@pytest.mark.parametrize(
    ("settings", "placed"),
    [
        ({}, OWN),
        ({"horizontalAlignment": "left"}, Bounds(100, 300, 200, 100)),
        ({"horizontalAlignment": "right", "right": 10}, Bounds(890, 300, 200, 100)),
        ({"horizontalAlignment": "center", "verticalAlignment": "center"}, Bounds(500, 400, 200, 100)),
        ({"horizontalAlignment": "stretch", "left": 5, "right": "15px"}, Bounds(105, 300, 980, 100)),
        ({"verticalAlignment": "bottom", "height": "25%"}, Bounds(300, 650, 200, 200)),
        ({"top": "10%", "left": 7.5}, Bounds(107.5, 130, 200, 100)),
        ({"width": -5, "height": 0}, Bounds(300, 300, 1, 1)),
        ({"verticalAlignment": "stretch", "top": 500, "bottom": 500}, Bounds(300, 550, 200, 1)),
    ],
)
def test_a_window_is_aligned_in_its_area(settings: dict[str, Any], placed: Bounds) -> None:
    assert place(settings, OWN, AREA) == placed


@pytest.mark.parametrize(
    "settings",
    [
        {"horizontalAlignment": "top"},
        {"verticalAlignment": 7},
        {"width": "wide"},
        {"width": "10em"},
        {"left": True},
        {"left": float("nan")},
        {"left": float("inf")},
        {"top": "9" * 1000},
        {"top": []},
    ],
)
def test_invalid_settings_are_refused_with_their_name(settings: dict[str, Any]) -> None:
    with pytest.raises(DesktopError, match=f"^{next(iter(settings))} must be"):
        place(settings, OWN, AREA)
