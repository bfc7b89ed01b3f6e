"""Features of pages: scripts, spell checking, search; pure."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rostrum.desktop.modes import Feature, supports
from rostrum.settings.scope import AppType, Mode

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.user_interface import Spellchecker
    from rostrum.settings.sections.windows import PreloadScripts
    from rostrum.settings.settings import Settings


PUBLIC_DICTIONARIES = "https://redirector.gvt1.com/edgedl/chrome/dict/"
"""The default address of dictionaries."""
_WITH_SCRIPTS = frozenset({AppType.WINDOW, AppType.WORKSPACES, AppType.WEB_GROUP})
_PDF = "application/pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptSource:
    """The source of a script.

    Attributes:
        timeout: Time limit in seconds; None for the default.
        critical: Whether the page must not be opened without it.
    """

    url: str
    fallback: str | None = None
    timeout: float | None = None
    critical: bool = False

    @classmethod
    def of(cls, written: Any) -> "ScriptSource | None":
        """Read an address, or an object of url (or source), fallback, timeout in ms and critical; otherwise None."""
        if isinstance(written, str):
            return cls(url=written) if written else None
        url = (written.get("url") or written.get("source")) if isinstance(written, Mapping) else None
        if not isinstance(url, str) or not url:
            return None
        fallback, timeout = written.get("fallback"), written.get("timeout")
        timed = isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout > 0
        return cls(
            url=url,
            fallback=fallback if isinstance(fallback, str) and fallback else None,
            timeout=timeout / 1000 if timed else None,
            critical=written.get("critical") is True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Preload:
    """Scripts that run before those of the page."""

    sources: tuple[ScriptSource, ...]
    as_base64: bool

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of the scripts."""
        return tuple(one.url for one in self.sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """Spell checking of a page; without languages, that of the system."""

    languages: tuple[str, ...]
    dictionaries: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The features of a page."""

    preload: Preload | None
    spelling: Spelling | None
    search: bool
    search_in_pdf: bool

    def opens_search(self, keys: str, content_type: str) -> bool:
        """Return whether pressed keys open the platform's search."""
        pdf = content_type.partition(";")[0].strip().lower() == _PDF
        return keys.upper() == "CTRL+F" and (self.search_in_pdf if pdf else self.search)


def page_of(definition: Mapping[str, Any], settings: "Settings", spelling: "Spellchecker", mode: Mode) -> Page:
    """Compute the features of an app's page."""
    details = definition["details"]
    written = details.get("search")
    search = not (isinstance(written, Mapping) and written.get("enabled") is False)
    return Page(
        preload=preload_of(str(definition["type"]), details, settings.windows.preload_scripts),
        spelling=spelling_of(spelling),
        search=search,
        search_in_pdf=search and supports(mode, Feature.SEARCH_IN_PDF),
    )


def preload_of(
    kind: str, details: Mapping[str, Any], settings: "Sequence[str] | PreloadScripts | None"
) -> Preload | None:
    """Return the scripts of an app, or those for all apps, if its type has a page for them."""
    if kind not in _WITH_SCRIPTS:
        return None
    written = details.get("preloadScripts")
    if written is None and settings is not None:
        written = list(settings) if isinstance(settings, Sequence) else settings.model_dump(by_alias=True)
    as_base64 = isinstance(written, Mapping) and written.get("useBase64PreloadScripts") is True
    listed = written.get("scripts") if isinstance(written, Mapping) else written
    sources = tuple(source for one in listed or () if (source := ScriptSource.of(one)) is not None)
    return Preload(sources=sources, as_base64=as_base64) if sources else None


def spelling_of(settings: "Spellchecker") -> Spelling | None:
    """Return how spelling is checked; None if it is not."""
    if not settings.enabled:
        return None
    return Spelling(
        languages=tuple(settings.languages or ()), dictionaries=settings.dictionary_download_url or PUBLIC_DICTIONARIES
    )


def script_before_page(sources: Sequence[str], *, as_base64: bool) -> str:
    """Create the script that the host runs when a document is created, before the scripts of the page.

    As Base64, each script becomes a script tag of the page itself, so that it counts as the page's code.
    """
    if not as_base64:
        return "\n".join(f"(function () {{\n{source}\n}}).call(window);" for source in sources)
    encoded = json.dumps([b64encode(source.encode()).decode() for source in sources])
    # There may be no root element yet; the script may be the root temporarily.
    return f"""(function () {{
  for (const encoded of {encoded}) {{
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
    const tag = document.createElement("script");
    tag.textContent = new TextDecoder().decode(bytes);
    (document.head || document.documentElement || document).append(tag);
    tag.remove();
  }}
}})();"""
