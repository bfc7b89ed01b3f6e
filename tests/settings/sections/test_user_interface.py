"""What the platform itself shows."""

import pytest

from tests.settings.reading import in_force, said, taken


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


@pytest.mark.rule("R-2.15-11")
def test_alerts_stay_for_five_seconds_and_may_have_a_page_of_their_own() -> None:
    assert (in_force("alerts.enabled"), in_force("alerts.ttl"), in_force("alerts.url")) == (True, 5000, None)
    assert taken("alerts.url", "https://alerts.example") == "https://alerts.example"


@pytest.mark.rule("R-2.15-1", "L-D-13")
@pytest.mark.rule("R-2.15-2")
def test_the_splash_is_waited_for_five_seconds_at_most_and_shown_at_shutdown_too() -> None:
    splash = in_force("splash")
    assert (splash["blockStartup"], splash["timeout"], splash["showOnShutdown"]) == (True, 5000, True)
    assert (splash["width"], splash["height"], splash["disabled"]) == (350, 233, None)


@pytest.mark.rule("R-2.15-12")
def test_of_the_built_in_questions_only_the_one_about_layouts_is_off() -> None:
    assert in_force("dialogs.enableDefaultDialogs") == {
        "preventShutdown": True,
        "preventWindowClose": True,
        "unsavedLayoutChanges": False,
    }


@pytest.mark.rule("R-2.15-13")
def test_the_search_is_on_and_finds_four_types_unless_narrowed_down() -> None:
    assert in_force("searchProvider") == {"enabled": True, "types": ["application", "layout", "workspace", "action"]}
    assert taken("searchProvider.types", ["layout"]) == ["layout"]
    assert said({"searchProvider": {"types": ["layout", "file"]}}) == [("error", "searchProvider.types[1]")]


@pytest.mark.rule("R-2.15-15")
def test_spelling_is_checked_with_languages_and_dictionaries_of_ones_own() -> None:
    assert in_force("spellchecker") == {"enabled": True, "languages": None, "dictionaryDownloadURL": None}
    own = {"enabled": True, "languages": ["en-GB", "bg"], "dictionaryDownloadURL": "https://words.example/"}
    assert taken("spellchecker", own) == own
