"""Which pages the platform has, and how a theme is drawn."""

import pytest

from rostrum.desktop.services.tray import tray_menu
from rostrum.desktop.windows.own_pages import OWN_PAGES, color_scheme, own_page
from rostrum.settings.sections.user_interface import Tray


def test_every_line_of_the_tray_menu_that_shows_a_page_has_one() -> None:
    lines = {entry.id for entry in tray_menu(Tray(notifications=True), {})} - {"applications", "restart", "exit"}
    assert {line for line in lines if own_page(line) is None} == set()


@pytest.mark.parametrize("name", ["", "../launcher", "launcher/", "Launcher", "https://example.com/"])
def test_other_names_are_no_pages(name: str) -> None:
    assert own_page(name) is None


def test_pages_fit_on_a_small_screen() -> None:
    assert all(page.width <= 1280 and page.height <= 680 for page in OWN_PAGES.values())


@pytest.mark.parametrize(
    ("name", "properties", "expected"),
    [
        ("harbour-night", None, "dark"),
        ("harbour-day", None, "light"),
        ("Dark Blue", {}, "dark"),
        ("corporate", {"colorScheme": "dark"}, "dark"),
        ("darkest", {"colorScheme": "light"}, "light"),
        ("corporate", None, None),
        (None, None, None),
    ],
)
def test_a_theme_is_drawn_as_it_says_or_as_its_name_suggests(
    name: str | None, properties: dict[str, str] | None, expected: str | None
) -> None:
    assert color_scheme(name, properties) == expected
