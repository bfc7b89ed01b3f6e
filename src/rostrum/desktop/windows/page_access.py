"""Access of pages to the platform's API, the data they read from it, and their permissions; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rostrum.desktop.windows.geometry import Screen

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.windows import Handlers, Windows, WindowSecurity


_BLANK = ("", "about:blank")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScript:
    """A script that runs on the origins of the app, before the scripts of the page.

    Attributes:
        name: Shown in the developer tools and in messages.
        as_element: Whether it runs as a script element of the page, so that it counts as the page's own code.

    """

    name: str
    source: str
    as_element: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSecurity:
    """Permissions of a page beyond the defaults of the web.

    Attributes:
        external_schemes: Schemes of addresses that are passed to other programs.
        permissions: Permissions that are granted on request, by the names of ``windows.security.permissions``.
    """

    allow_insecure_content: bool = False
    navigate_on_drop: bool = False
    certificate_errors: Literal["allow", "deny", "ask"] = "deny"
    external_schemes: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageIdentity:
    """Facts about the platform and its user that are the same for all pages."""

    user: str
    environment: str
    region: str
    version: str
    build: str = ""
    ui_version: str = ""
    machine: str = ""
    process: int = 0


def allowed_origins(details: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the origins whose pages get the API and a token: of the app's address, and others of its definition."""
    from rostrum.contracts.addresses import origin_of

    added = details.get("allowedOrigins")
    addresses = [details.get("url"), *(added if isinstance(added, list | tuple) else ())]
    # A file added by a definition could be any file of the machine; only the app's own address may be one.
    found = [origin_of(one) for number, one in enumerate(addresses) if number == 0 or not _is_file(one)]
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _is_file(address: Any) -> bool:
    from rostrum.contracts.addresses import origin_of

    origin = origin_of(address)
    return origin is not None and origin.startswith("file:")


def security_of(details: Mapping[str, Any], settings: "WindowSecurity", *, trusted: bool) -> PageSecurity:
    """Return the permissions of a page; the app's own values count only if its store is trusted."""
    own = details.get("security")
    written = own if trusted and isinstance(own, Mapping) else {}
    certificates = written.get("onCertificateError")
    action = certificates.get("action") if isinstance(certificates, Mapping) else None
    return PageSecurity(
        allow_insecure_content=_flag(
            written, "allowRunningInsecureContent", default=settings.allow_running_insecure_content
        ),
        navigate_on_drop=_flag(written, "navigateOnDragDrop", default=settings.navigate_on_drag_drop),
        certificate_errors=action if action in ("allow", "deny", "ask") else settings.on_certificate_error.action,
        external_schemes=_words(written, "allowedExternalURISchemes", settings.allowed_external_uri_schemes),
        permissions=_words(written, "permissions", settings.permissions),
    )


def _flag(written: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = written.get(name)
    return value if isinstance(value, bool) else default


def _words(written: Mapping[str, Any], name: str, default: Sequence[str]) -> tuple[str, ...]:
    value = written.get(name)
    listed = value if isinstance(value, list | tuple) else default
    return tuple(one for one in listed if isinstance(one, str))


def handler_timeout(details: Mapping[str, Any], name: str, settings: "Handlers") -> float | None:
    """Return the time limit in seconds for a page's handlers before an operation; None if they are not called."""
    own = details.get(name)
    written = own if isinstance(own, Mapping) else {}
    if not _flag(written, "enabled", default=settings.enabled):
        return None
    timeout = written.get("timeout")
    valid = isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout > 0
    return float(timeout if valid and timeout is not None else settings.timeout) / 1000


def may_navigate(details: Mapping[str, Any], url: str, *, files: bool = False) -> bool:
    """Return whether a page may navigate to an address; the app's own address is always allowed."""
    from rostrum.base.address_rules import is_same
    from rostrum.contracts.addresses import why_not_opened

    if url in _BLANK or is_same(details.get("url"), url):
        return True
    return why_not_opened(url, files=files) is None and _matches(details.get("navigation"), url)


def window_open_mode(details: Mapping[str, Any], settings: "Windows") -> str:
    """Return the effect of window.open for a page: off, window or browser."""
    written = details.get("nativeWindowOpen")
    own = written.get("mode") if isinstance(written, Mapping) else written
    if own in ("off", "window", "browser"):
        return str(own)
    return settings.native_window_open


def window_open_problem(details: Mapping[str, Any], url: str) -> str | None:
    """Return why a page may not open a window with an address, or None."""
    from rostrum.contracts.addresses import why_not_opened

    if url in _BLANK:
        return None
    problem = why_not_opened(url, files=False)
    if problem is not None:
        return f"the address {problem}"
    return None if _matches(details.get("windowOpen"), url) else "windowOpen.allowed does not match the address"


def _matches(rule: Any, url: str) -> bool:
    """Return whether a rule allows an address; an invalid rule allows nothing."""
    from rostrum.base.address_rules import admits

    allowed = rule.get("allowed") if isinstance(rule, Mapping) else None
    return allowed in (None, "") or admits(allowed, url)


def version_number(version: str) -> int:
    """Format a version as client libraries compare it: 3.12.0 is 31200."""
    numbers = [int(part) if part.isascii() and part.isdigit() else 0 for part in version.split(".")[:3]]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    return major * 10000 + min(minor, 99) * 100 + min(patch, 99)


def legacy_version(version: str) -> str:
    """Return a version whose first digit is its major number: older client libraries read only the first digit."""
    major = version.partition(".")[0]
    return version if len(major) == 1 else "9.99.0"


def monitors_of(screens: Sequence[Screen]) -> list[dict[str, Any]]:
    """Describe the displays in the format of client libraries, the primary one first."""
    return [
        {
            "name": one.name,
            "isPrimary": one.primary,
            "left": one.whole.left,
            "top": one.whole.top,
            "width": one.whole.width,
            "height": one.whole.height,
            "workingAreaLeft": one.work_area.left,
            "workingAreaTop": one.work_area.top,
            "workingAreaWidth": one.work_area.width,
            "workingAreaHeight": one.work_area.height,
        }
        for one in screens
    ]


def page_info(
    instance: str,
    definition: Mapping[str, Any],
    identity: PageIdentity,
    *,
    context: Mapping[str, Any],
    channel: str | None,
    screens: Sequence[Screen],
    name: str = "",
    html_container: bool = False,
) -> dict[str, Any]:
    """Return the data of the platform's global object in pages, as JSON values."""
    app, details = str(definition["name"]), definition["details"]
    metrics = details.get("pagePerformanceMetric")
    level = details.get("consoleLogLevel")
    return {
        "windowId": instance,
        "windowName": name or app,
        "appInstanceId": instance,
        "application": app,
        "applicationName": app,
        "appName": app,
        "pid": identity.process,
        "user": identity.user,
        "env": {
            "env": identity.environment,
            "region": identity.region,
            "machineName": identity.machine,
            "windowsUserName": identity.user,
            "windowsUserId": identity.user,
            "windowsUserDomain": "",
        },
        "initialChannel": channel,
        "monitors": monitors_of(screens),
        "context": dict(context),
        "consoleLogLevel": level if isinstance(level, str) else None,
        "metrics": {"pagePerformanceMetrics": dict(metrics) if isinstance(metrics, Mapping) else {"enabled": False}},
        "metricsEnabled": definition.get("suspendMetrics") is not True,
        "version": identity.version,
        "versionNum": version_number(identity.version),
        "legacyVersion": legacy_version(identity.version),
        "uiVersion": identity.ui_version,
        "build": identity.build,
        "allowClearingCache": details.get("allowClearingCache") is True,
        "htmlContainer": details.get("registerHtmlContainer") is True or html_container,
        "fdc3InitsGlue": details.get("fdc3InitsGlue") is True,
    }
