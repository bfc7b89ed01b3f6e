"""Scripts that pages get before their own: client libraries, the FDC3 library and preload scripts."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from rostrum.base.clock import Clock
from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.launch.remote_script import RemoteScript, RemoteScripts
from rostrum.desktop.windows.page_access import PageScript
from rostrum.desktop.windows.pages import Page, ScriptSource
from rostrum.settings.sections.windows import AutoInjectApi, AutoInjectFdc3, Library
from rostrum.settings.settings import Settings

OWN_FDC3_LIBRARY = "fdc3_library.js"
"""The library that connects pages to the FDC3 agent of the desktop; built by ``tools/fdc3_library.py``."""

_log = logging.getLogger(__name__)
_FRESH = 30.0
"""Seconds for which a script is reused, so that many windows can open at once."""
_USUAL_WAIT = 10.0
_MOST_BYTES = 16 * 1024 * 1024
_AFTER_API = """(function () {
  const factory = window.IODesktop || window.Glue;
  if (typeof factory !== "function") { return; }
  window.iodesktop.autoInjected = true;
  const options = %s;
  if (options === null) { return; }
  window.iodesktop.autoInited = true;
  const promise = factory(options === true ? undefined : options);
  window.ioPromise = window.gluePromise = promise;
  promise.then((api) => { window.io = window.glue = api; }, () => undefined);
})();"""
# The policy of a page may forbid style elements, but not constructed style sheets.
_ADD_STYLE = """const sheet = new CSSStyleSheet();
sheet.replaceSync(%s);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];"""
_AFTER_FDC3 = "if (window.fdc3) { window.iodesktop.autoInjectedFdc3 = true; }"


class PageScripts:
    """Fetches the scripts of pages, and caches them for times when their server is not available."""

    def __init__(
        self, settings: Settings, root: Path, cache: Path, clock: Clock, *, trusted: Callable[[str], bool]
    ) -> None:
        self._settings = settings
        self._root = root
        self._remote = RemoteScripts(cache)
        self._clock = clock
        self._trusted = trusted
        self._known: dict[tuple[str, bool, bool], tuple[float, str]] = {}

    async def of(self, definition: Mapping[str, Any], page: Page | None) -> tuple[PageScript, ...]:
        """Return the scripts of an app's page; raise LaunchFailed if a required script is unavailable."""
        app, details = str(definition["name"]), definition["details"]
        scripts: list[PageScript] = []
        scripts += await self._api(app, details.get("autoInjectAPI"))
        scripts += await self._fdc3(app, details.get("autoInjectFdc3"), from_directory="fdc3" in definition)
        scripts += await self._styles(app, details.get("injectedStyles"))
        preload = None if page is None else page.preload
        if preload is not None:
            sources = [await self._source(app, one, own=True) for one in preload.sources]
            scripts += [
                PageScript(name=one.url, source=source, as_element=preload.as_base64)
                for one, source in zip(preload.sources, sources, strict=True)
                if source is not None
            ]
        return tuple(scripts)

    async def _api(self, app: str, written: Any) -> list[PageScript]:
        settings = self._settings.windows.auto_inject_api
        if not _is_injected(app, written, settings):
            return []
        source = _library(settings.library, None)
        if source is None:
            _log.warning(
                "%s starts without a client library: autoInjectAPI is enabled, but no library is named in "
                "windows.autoInjectAPI.library.source",
                app,
            )
            return []
        text = await self._source(app, source, own=False)
        if text is None:
            return []
        own = written.get("autoInit") if isinstance(written, Mapping) else None
        init = settings.auto_init if own is None else own
        options = msgspec.json.encode(init if init is True or isinstance(init, Mapping) else None).decode()
        return [PageScript(name="autoInjectAPI", source=text), PageScript(name="autoInit", source=_AFTER_API % options)]

    async def _fdc3(self, app: str, written: Any, *, from_directory: bool) -> list[PageScript]:
        settings = self._settings.windows.auto_inject_fdc3
        own = written if isinstance(written, Mapping) else None
        if own is None and from_directory:
            own = {"enabled": True}
        if not _is_injected(app, own, settings):
            return []
        source = _library(settings.library, None if own is None else own.get("library"))
        if source is None:
            text = own_fdc3_library()
        else:
            text = await self._source(app, source, own=own is not None and bool(own.get("library")))
        if text is None:
            return []
        return [PageScript(name="autoInjectFdc3", source=text), PageScript(name="fdc3", source=_AFTER_FDC3)]

    async def _styles(self, app: str, written: Any) -> list[PageScript]:
        listed = written.get("styles") if isinstance(written, Mapping) else None
        sources = [ScriptSource.of(one) for one in listed or ()] if isinstance(listed, list) else []
        texts = [await self._source(app, one, own=True) for one in sources if one is not None]
        return [
            PageScript(name="injectedStyles", source=_ADD_STYLE % msgspec.json.encode(text).decode())
            for text in texts
            if text is not None
        ]

    async def _source(self, app: str, source: ScriptSource, *, own: bool) -> str | None:
        """Return the text of a script; ``own`` scripts are named by the app, and are files only if it is trusted."""
        problem = ""
        for address in (source.url, source.fallback):
            if address is None:
                continue
            try:
                return await self._text(app, address, source.timeout or _USUAL_WAIT, own=own)
            except LaunchFailed as error:
                problem = str(error)
        if source.critical:
            raise LaunchFailed(f"{app}: {problem}")
        _log.warning("%s starts without a script: %s", app, problem)
        return None

    async def _text(self, app: str, address: str, seconds: float, *, own: bool) -> str:
        trusted = self._trusted(app)
        # Other apps must not receive what only a trusted app, or the settings, may load.
        key = (address, own, trusted)
        known = self._known.get(key)
        if known is not None and self._clock.monotonic() - known[0] < _FRESH:
            return known[1]
        if address.lower().startswith(("http://", "https://")):
            script = RemoteScript(url=address, headers={}, trusted=trusted, timeout=seconds)
            file = await self._remote.fetch(script)
        elif own and not trusted:
            raise LaunchFailed("a script of an app must be an https address, unless its store is trusted")
        else:
            file = self._root / address.removeprefix("file://")
        text = await asyncio.to_thread(_read, file)
        self._known[key] = (self._clock.monotonic(), text)
        return text


@cache
def own_fdc3_library() -> str | None:
    """Return the platform's own library, used if no other one is configured; None if it is not built."""
    try:
        return files(__package__).joinpath(OWN_FDC3_LIBRARY).read_text("utf-8")
    except FileNotFoundError:
        _log.warning("pages get no window.fdc3: its library is not built; `make desk` and `make dist` build it")
        return None


def _is_injected(app: str, own: Any, settings: AutoInjectApi | AutoInjectFdc3) -> bool:
    """Return whether an app gets a library: by its definition, or by the settings for all apps."""
    if isinstance(own, Mapping) and isinstance(own.get("enabled"), bool):
        return bool(own["enabled"])
    is_listed = settings.allowed is None or app in settings.allowed
    return settings.enabled and is_listed and app not in settings.blocked


def _library(settings: Library, own: Any) -> ScriptSource | None:
    written = own if isinstance(own, Mapping) and own.get("source") else settings.model_dump(by_alias=True)
    return ScriptSource.of(written)


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise LaunchFailed(f"the script {file.name} cannot be read: {error.strerror or error}") from error
    if len(content) > _MOST_BYTES:
        raise LaunchFailed(f"the script {file.name} is larger than {_MOST_BYTES // 2**20} MiB")
    return content.decode("utf-8", "replace")
