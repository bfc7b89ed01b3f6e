"""Colours of the parts that the window process draws itself: caption bars, menus, toasts, dialogs, loaders."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One set of colours."""

    dark: bool
    surface: str
    raised: str
    border: str
    text: str
    muted: str
    accent: str
    danger: str


LIGHT = Look(
    dark=False,
    surface="#f4f6f9",
    raised="#ffffff",
    border="#c3cad5",
    text="#1b2330",
    muted="#5a6675",
    accent="#2563c9",
    danger="#b3261e",
)
DARK = Look(
    dark=True,
    surface="#1c212b",
    raised="#262c38",
    border="#3b4454",
    text="#e8ebf0",
    muted="#9aa5b4",
    accent="#6ea8fe",
    danger="#f2777a",
)


def look_of(theme: str | None) -> Look:
    """Return the colours for a theme; a theme is dark if its name contains "dark"."""
    return DARK if theme is not None and "dark" in theme.lower() else LIGHT


def readable_on(red: int, green: int, blue: int) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    brightness = (red * 299 + green * 587 + blue * 114) / 1000
    return "#000000" if brightness > 140 else "#ffffff"


def menu_style(look: Look) -> str:
    """Return the style sheet of menus."""
    return (
        f"QMenu {{ background: {look.raised}; color: {look.text}; border: 1px solid {look.border}; }}"
        "QMenu::item { padding: 5px 22px 5px 26px; }"
        f"QMenu::item:selected {{ background: {look.accent}; color: {look.raised}; }}"
    )
