"""Notes about settings, values and formats of existing installations that the catalogue does not contain."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from rostrum.base.problems import json_path
from rostrum.settings.counts import Refusal
from rostrum.settings.problems import SettingProblem, Severity, shown
from rostrum.settings.unknown import Steps

_SOURCES = "systemConfigurations.sources"
_REPLACED: Mapping[str, str] = {
    "extends": f"has been replaced by {_SOURCES} and is not read",
    "extendedBy": f"has been replaced by {_SOURCES} and is not read",
}
_SUCCESSORS: Mapping[str, str] = {"remoteConfig": f"; {_SOURCES} in system.json has taken its place"}
_NAMES = """
    about activityColors allowNTLMCredentialsForDomains auth autoStart citrix
    devToolsExtensions downloadManager emailClient enableGTF entraSSO
    extensions hotkeys issueReporting legacy licREST metrics nameLookupService otel perfCollector
    performanceTracker reloadIFrames showAppsInTrayMenu showWindowsInTrayMenu singleApp swimlane
    telemetry useEmbeddedShell webPageSearch windowAvailableOnURLChanged

    appStores.details.trusted applications.allowLogging applications.icons applications.shells autoUpdater.ui
    crashReporter.folderPath crashReporter.output.backTraceConfig
    crashReporter.output.dumps folders.platformCache
    notifications.autoHidePanel server.cache server.clientAuth
    server.features.applicationsStoreOptions server.requests.closeSessionTimeout server.requests.logHTTPHeaders
    server.requests.loggerLevel server.requests.logSanitization server.requests.openSessionTimeout
    server.requests.requestBodyValidation server.requests.responseBodyValidation
    commands.resetFetchInterval commands.type ssoAuth.options.keepAlive
    ssoAuth.options.logoffUrl ssoAuth.options.successUrl ssoAuth.options.theme ssoAuth.options.window.hidden

    themes.convertThemesConfigToCSS themes.getThemesMethodName themes.setThemesMethodName themes.sharedContextName
    themes.syncWithDefaultOSAppMode themes.themesConfigurationMethodName

    gw.configuration.authentication.available gw.configuration.authentication.default
    gw.configuration.authentication.max-pending-requests gw.configuration.authentication.timeout
    gw.configuration.authentication.token-ttl gw.configuration.cluster gw.configuration.contextLifetime
    gw.configuration.customAuthenticators gw.configuration.customMetricsPublishers gw.configuration.logConfig
    gw.configuration.logLevel gw.configuration.metrics gw.configuration.route gw.configuration.showConsole
    gw.discoveryTimeout gw.embedded gw.killPortOccupier gw.url gw.useBeta gw.useLegacy

    windows.cascade windows.clientCertificates
    windows.contextMenu windows.downloadSettings windows.focus windows.hideGroupHeader windows.injectedStyles
    windows.jumpList windows.maxHeight windows.maxWidth windows.minHeight windows.minWidth
    windows.print windows.printToPdfSettings windows.saveInLayout windows.search
    windows.security.contextIsolation windows.security.nodeIntegration windows.security.onCertificateError.reportURL
    windows.security.sandbox windows.security.webSecurity
    windows.syncTitleWithDocumentTitle windows.userAgent windows.zoom"""
_ELSEWHERE = frozenset(_NAMES.split())
_OLD_STORE = "is a kind of store of older set-ups; write server for the manager, rest for a service, path for a folder"
_STORES = {
    word: Refusal(Severity.ERROR, f"{word} {_OLD_STORE}") for word in ("cm", "gcs", "permissionsFile", "singleApp")
}
_WORDS: Mapping[str, Mapping[str, Refusal]] = {
    "appStores.type": _STORES,
    "systemAppStores.type": _STORES,
    f"{_SOURCES}.type": {
        "default": Refusal(Severity.NOTE, "default means the built-in folder, which is always read"),
    },
    "layouts.store.type": {
        "in-memory": Refusal(
            Severity.ERROR, "in-memory is known to other platforms; here layouts are kept in file, rest or server"
        ),
    },
    "crashReporter.output.type": {
        "local": Refusal(Severity.NOTE, "local keeps crash reports in the user-data folder, as without a type"),
        "backtrace": Refusal(
            Severity.WARNING, "has no effect: backtrace is known to other platforms, here there is server only"
        ),
    },
}


def known_elsewhere(steps: Steps) -> str | None:
    """Return a note about a setting of other platforms; None if the name is unknown."""
    pattern = _pattern(steps)
    if pattern in _ELSEWHERE:
        return "is a setting of other platforms; Rostrum ignores it"
    return _REPLACED.get(pattern)


def successor(steps: Steps) -> str:
    """Return the replacement of a setting that is no longer used."""
    return _SUCCESSORS.get(_pattern(steps), "")


def word_elsewhere(steps: Steps, word: Any) -> Refusal | None:
    """Return why a value that other platforms support has no effect here."""
    return _WORDS.get(_pattern(steps), {}).get(word) if isinstance(word, str) else None


def _pattern(steps: Steps) -> str:
    return ".".join(step for step in steps if isinstance(step, str))


def in_todays_form(document: Any) -> tuple[Any, list[SettingProblem]]:
    """Convert values with formats of other platforms to our formats, with a note for each."""
    notes: list[SettingProblem] = []
    for steps, change in _FORMS.items():
        document = _changed(document, steps, (), change, notes)
    return document, notes


class _Change(NamedTuple):
    value: Any
    message: str


def _location(value: Any) -> _Change | None:
    if isinstance(value, dict) and isinstance(value.get("location"), str):
        return _Change(value["location"], "is an object; of its members only location counts")
    return None


def _number(value: Any) -> _Change | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 5:
        return _Change(int(value), f"is the text {shown(value)}; it is read as a number")
    return None


def _address(value: Any) -> _Change | None:
    if isinstance(value, dict) and isinstance(value.get("url"), str):
        return _Change(value["url"], "is an object; of its members only url counts")
    return None


def _mode(value: Any) -> _Change | None:
    if isinstance(value, dict) and isinstance(value.get("mode"), str):
        return _Change(value["mode"], "is an object; of its members only mode counts")
    return None


def _without_swimlanes(value: Any) -> _Change | None:
    if isinstance(value, list) and "swimlane" in value:
        return _Change(
            [word for word in value if word != "swimlane"], "swimlane has no effect: swimlanes are not supported"
        )
    return None


_EACH = 0
_FORMS: Mapping[Steps, Callable[[Any], _Change | None]] = {
    ("folders", "cache"): _location,
    ("gw", "configuration", "port"): _number,
    ("windows", "nativeWindowOpen"): _mode,
    ("windows", "preloadScripts", _EACH): _address,
    ("windows", "preloadScripts", "scripts", _EACH): _address,
    ("searchProvider", "types"): _without_swimlanes,
}


def _changed(
    value: Any, steps: Steps, at: Steps, change: Callable[[Any], _Change | None], notes: list[SettingProblem]
) -> Any:
    """Return the value with a change at a path; unchanged parts are shared, not copied."""
    if not steps:
        done = change(value)
        if done is None:
            return value
        notes.append(SettingProblem(path=json_path(at), message=done.message, severity=Severity.NOTE, value=value))
        return done.value
    inside = {key: _changed(old, steps[1:], (*at, key), change, notes) for key, old in _inner(value, steps[0])}
    if all(new is old for new, (_, old) in zip(inside.values(), _inner(value, steps[0]), strict=True)):
        return value
    if isinstance(value, list):
        return list(inside.values())
    return {**value, **inside}


def _inner(value: Any, step: str | int) -> Iterator[tuple[Any, Any]]:
    if step == _EACH and isinstance(value, list):
        yield from enumerate(value)
    elif isinstance(value, dict) and step in value:
        yield step, value[step]
