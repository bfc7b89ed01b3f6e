"""spellchecker: spell checking in windows."""

import pytest

from tests.settings.reading import in_force, taken


@pytest.mark.rule("R-2.15-15")
def test_spelling_is_checked_with_languages_and_dictionaries_of_ones_own() -> None:
    assert in_force("spellchecker") == {"enabled": True, "languages": None, "dictionaryDownloadURL": None}
    own = {"enabled": True, "languages": ["en-GB", "bg"], "dictionaryDownloadURL": "https://words.example/"}
    assert taken("spellchecker", own) == own
