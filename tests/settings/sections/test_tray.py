"""tray: the icon and its menu."""

import pytest

from tests.settings.reading import in_force, said


@pytest.mark.rule("R-2.15-3")
def test_every_entry_is_shown_but_the_notifications() -> None:
    tray = in_force("tray")
    assert len(tray) == 12
    assert [name for name, value in tray.items() if value is not True] == ["notifications"]
    assert tray["notifications"] is False


@pytest.mark.rule("R-2.15-3")
def test_every_entry_is_a_switch() -> None:
    for name in in_force("tray"):
        assert said({"tray": {name: "yes"}}) == [("error", f"tray.{name}")]
