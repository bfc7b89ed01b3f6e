"""Members of app definitions that windows of this platform do not support or that are risky, with reasons."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base.address_rules import rule_error
from rostrum.base.rule_weaknesses import rule_weaknesses
from rostrum.contracts.addresses import PAGE_TYPES

RESPONSE_HEADERS = "the browser engine cannot change the headers of responses, and TLS connections are not intercepted"
_NO_EXTENSIONS = "the browser engine runs no extensions"
_NOT_YET = "windows do not support it yet"
_NO_FACTS = "pages get no such information"
_ONE_PROFILE = "all apps share one profile of the browser engine, with its cookies, storage and proxy"


def _is_true(value: Any) -> bool:
    return value is True


def _is_false(value: Any) -> bool:
    return value is False


def _is_set(value: Any) -> bool:
    return value not in (None, "", [], {}, False)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A member of ``details``, its unsupported values, and the reason.

    Attributes:
        never: Whether the browser engine makes it impossible; otherwise it may be supported later.
    """

    path: str
    reason: str
    wanted: Callable[[Any], bool] = _is_set
    never: bool = True


UNSUPPORTED = (
    Unsupported("allowExtensions", _NO_EXTENSIONS),
    Unsupported("injectionIntegration", _NO_EXTENSIONS),
    Unsupported("processAffinity", "the browser engine decides which pages share a process"),
    Unsupported("backgroundThrottling", "the browser engine slows down the timers of all hidden pages", _is_false),
    Unsupported("sfMode", "there is no mode for one product"),
    Unsupported("security.webSecurity", "the same-origin policy cannot be disabled", _is_false),
    Unsupported("security.sandbox", "pages always run in the sandbox", _is_false),
    Unsupported("security.contextIsolation", "preload scripts share the variables of the page", _is_true),
    Unsupported("security.nodeIntegration", "pages cannot use Node.js; define an app of the type node", _is_true),
    Unsupported("allowProxySettingManipulation", "the proxy is set for all pages when the platform starts", _is_true),
    *(Unsupported(path, _ONE_PROFILE) for path in ("partition", "profile")),
    Unsupported("allowEnvVars", _NO_FACTS),
    Unsupported("allowOSInfo", _NO_FACTS),
    Unsupported("allowAuthInfo", _NO_FACTS),
    Unsupported("injectSIDtoContext", _NO_FACTS),
    Unsupported("jumpList", "jump lists exist on Windows only, and are not shown there yet"),
    Unsupported("taskbar", "the system decides about the entry in the taskbar"),
    Unsupported("relativeTo", "windows get their ids when they open; name the neighbour when you open the window"),
    Unsupported("urlLoadOptions.httpReferrer", "the browser engine loads no page with another referrer"),
    Unsupported("cascade", _NOT_YET, lambda value: _is_set(value) and value.get("enabled") is not False, never=False),
    Unsupported("allowUnstick", _NOT_YET, _is_false, never=False),
    Unsupported("tabSelected", _NOT_YET, _is_false, never=False),
    Unsupported("collapseHeight", _NOT_YET, lambda value: _is_set(value) and value != -1, never=False),
    *(
        Unsupported(path, _NOT_YET, never=False)
        for path in (
            "borderColor",
            "backgroundColor",
            "roundedCorners",
            "useRandomFrameColor",
            "visibleAreas",
            "placement.display",
            "showFeedbackButton",
            "showCloneButton",
            "disableTransitions",
            "nativeWindowOpenOptions",
            "navigation.trackInPageNavigation",
            "urlLoadOptions.postData",
            "urlLoadOptions.queryString",
            "urlLoadOptions.baseURLForDataURL",
            "fdc3InitsGlue",
            "security.onCertificateError.reportURL",
            "printToPdfSettings",
            "stickyGroup",
            "stickyFrameColor",
            "showStickyButton",
            "allowCollapse",
            "allowLockUnlock",
            "tabWidth",
            "sizeAreaThickness",
            "moveAreaPassThroughMouseHover",
            "sizeAreaPassThroughMouseHover",
            "startLocation.stuck",
            "saveInLayout.url",
            "saveCurrentUrlInLayout",
            "userAgent",
            "urlLoadOptions.userAgent",
        )
    ),
)
"""Unsupported members of windows, except the headers of ``responseHeaders``, which are listed one by one."""

_ONLY_THE_MANAGER = "pages of groups get window.webGroupsManager and nothing else"
_NO_FALLBACK_PAGE = "the built-in frame is shown instead, and the log states the reason"
WEB_GROUP_UNSUPPORTED = (
    Unsupported("pool", "the page is loaded for each group when the group is made", never=False),
    *(
        Unsupported(path, _ONLY_THE_MANAGER, never=False)
        for path in ("preloadScripts", "injectedStyles", "autoInjectAPI")
    ),
    *(Unsupported(path, _NO_FALLBACK_PAGE, never=False) for path in ("retryFailedMessage", "captureErrors")),
    Unsupported(
        "navigationResponseTimeoutSeconds",
        "timeout counts from the start of the navigation",
        lambda value: value not in (None, 300),
        never=False,
    ),
)
"""Further members that have no effect for the page that draws web groups."""


def unsupported_details(definition: Any) -> Iterator[tuple[str, str, bool]]:
    """Yield the path, the message and ``never`` of each member of a page that has no effect or is risky."""
    if not isinstance(definition, Mapping) or str(definition.get("type", "")).lower() not in PAGE_TYPES:
        return
    details = definition.get("details")
    if not isinstance(details, Mapping):
        return
    further = WEB_GROUP_UNSUPPORTED if str(definition.get("type")).lower() == "webgroup" else ()
    for one in (*UNSUPPORTED, *further):
        value: Any = details
        for step in one.path.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if one.wanted(value):
            yield f"details.{one.path}", f"is not supported: {one.reason}", one.never
    headers = details.get("responseHeaders")
    for name in headers if isinstance(headers, Mapping) else ():
        yield f"details.responseHeaders.{name}", f"is not supported: {RESPONSE_HEADERS}", True
    for member in ("navigation", "windowOpen"):
        written = details.get(member)
        allowed = written.get("allowed") if isinstance(written, Mapping) else None
        if not isinstance(allowed, str) or not allowed:
            continue
        error = rule_error(allowed)
        for message in rule_weaknesses(allowed) if error is None else (f"allows nothing: {error}",):
            yield f"details.{member}.allowed", message, False
