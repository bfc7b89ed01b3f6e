"""Members of app definitions with which an app reaches further than its own page: desktop and manager restrict them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rostrum.contracts.addresses import PAGE_TYPES

_GROUP_PAGE = "rostrum-page://group/"


def _is_set(value: Any) -> bool:
    return value not in (None, "", [], {}, False)


def _is_false(value: Any) -> bool:
    return value is False


def _is_not_denied(value: Any) -> bool:
    return value not in (None, "", "deny")


FAR_REACHING: Mapping[str, Callable[[Any], bool]] = {
    # Rights in other windows, on the machine, and over the data of all apps.
    "allowCapture": _is_set,
    "allowScriptExecution": _is_set,
    "allowCookiesManipulation": _is_set,
    "allowHeadersManipulation": _is_set,
    "allowCLAAccess": _is_set,
    "details.allowCookiesManipulation": _is_set,
    "details.allowProxySettingManipulation": _is_set,
    "details.allowAuthInfo": _is_set,
    "details.allowEnvVars": _is_set,
    "details.injectSIDtoContext": _is_set,
    "details.allowOSInfo": _is_set,
    "details.allowExtensions": _is_set,
    "details.injectionIntegration": _is_set,
    # Scripts and style sheets in a page that others may own, such as that of a bank or of the admin UI.
    "details.preloadScripts": _is_set,
    "details.injectedStyles.styles": _is_set,
    "details.autoInjectFdc3.library": _is_set,
    # Weaker protection of the page.
    "details.responseHeaders": _is_set,
    "details.security.webSecurity": _is_false,
    "details.security.sandbox": _is_false,
    "details.security.nodeIntegration": _is_set,
    "details.security.allowRunningInsecureContent": _is_set,
    "details.security.navigateOnDragDrop": _is_set,
    "details.security.onCertificateError.action": _is_not_denied,
    "details.security.allowedExternalURISchemes": _is_set,
    "details.security.permissions": _is_set,
    # Files and programs of the machine.
    "asset": _is_set,
    "details.downloadSettings.path": _is_set,
    "details.downloadSettings.autoOpenDownload": _is_set,
    "details.downloadSettings.autoOpenPath": _is_set,
    "details.urlLoadOptions.postData": _is_set,
    "details.taskbar.command": _is_set,
    "details.taskbar.commandEnvVar": _is_set,
}
"""The path of each member, and the values that matter; a test asks for a decision about each new member."""

AUTHORS_ONLY = frozenset(
    {
        "details.injectedStyles.replace",
        "details.security.contextIsolation",
        "details.security.onCertificateError.reportURL",
        "details.taskbar.allowPin",
        "details.taskbar.appId",
        "details.taskbar.combineIcons",
        "details.taskbar.displayName",
        "details.taskbar.iconIndex",
        "details.taskbar.iconPath",
        "details.urlLoadOptions.extraHeaders",
    }
)
"""Members that all authors of the manager may set, but pages may not: they name files, or belong to those above."""


def far_reaching_members(definition: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths with which a definition reaches further than its own page; the type itself of a program."""
    kind = str(definition.get("type", "")).lower()
    if kind not in PAGE_TYPES:
        yield "type"
    if kind == "webgroup" and _at(definition, "details.url") != _GROUP_PAGE:
        # The page is drawn around the windows of all apps.
        yield "details.url"
    yield from (path for path, matters in FAR_REACHING.items() if matters(_at(definition, path)))


def _at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value
