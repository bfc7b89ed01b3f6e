"""spellchecker: spell checking in windows, re-applied when it changes."""

from rostrum.settings.scope import Scope
from rostrum.settings.setting import Section, setting
from rostrum.settings.types import Strings


class Spellchecker(Section, since="9.6", scope=Scope.REAPPLIED):
    """Spell checking."""

    enabled: bool = setting(default=True, text="Check spelling.")
    languages: Strings | None = setting(None, "Codes of the languages to check.")
    dictionary_download_url: str | None = setting(
        None, "Address of the dictionaries; by default a public network.", alias="dictionaryDownloadURL"
    )
