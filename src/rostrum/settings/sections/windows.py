"""windows: defaults for all windows."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from rostrum.base.address_rules import rule_error
from rostrum.base.rule_weaknesses import rule_weaknesses
from rostrum.settings.problems import Severity
from rostrum.settings.scope import AppType, Effect, Scope, Unit
from rostrum.settings.setting import Need, Section, SectionProblem, setting
from rostrum.settings.types import Amount, Strings

_WITH_SELECTOR = (AppType.WINDOW, AppType.EXE, AppType.CLICKONCE, AppType.CHILD_WINDOW, AppType.CITRIX)
_WITH_SCRIPTS = (AppType.WINDOW, AppType.WORKSPACES, AppType.WEB_GROUP)


PERMISSIONS = (
    "camera",
    "microphone",
    "screen",
    "geolocation",
    "notifications",
    "clipboard",
    "fonts",
    "mouseLock",
)
"""Permissions that pages can request."""


class ChannelSelector(Section, app_types=_WITH_SELECTOR, effect=Effect.PLAIN):
    """The box that chooses a window's channel."""

    enabled: bool = setting(default=False, text="Show the channel selector.", since="9.3")
    channel_id: str | None = setting(None, "Channel that the window joins when it opens.", effect=Effect.PLAIN)
    read_only: bool = setting(default=False, text="Show the channel, but do not allow users to change it.")
    type: Literal["single", "directionalSingle", "multi", "directionalMulti"] = setting(
        "single",
        "Whether users can select one channel or several (multi, web groups only), and whether they can also select "
        "the direction: receive, send or both (directional).",
        words={"multi": Need(since="9.7"), "directionalMulti": Need(since="9.8")},
    )


class PreloadScripts(Section, app_types=_WITH_SCRIPTS, effect=Effect.CODE):
    """Scripts run before a page's own, with the way they are put in."""

    scripts: Strings | None = setting(None, "Addresses of the scripts.")
    use_base64_preload_scripts: bool = setting(
        default=False,
        text="Add the scripts as script elements with Base64 text. Content security policies can block them.",
        alias="useBase64PreloadScripts",
    )


class CertificateErrors(Section):
    """Pages whose certificate is invalid."""

    action: Literal["allow", "deny", "ask"] = setting(
        "deny",
        "Whether a page with an invalid certificate is shown (allow), not shown (deny) or shown if the user agrees "
        "(ask).",
        addition=True,
    )


class WindowSecurity(Section, effect=Effect.PERMISSION):
    """What pages may do; replaces the security of app definitions, except those of trusted stores."""

    allow_running_insecure_content: bool = setting(
        default=False, text="Allow https pages to load content over http.", addition=True
    )
    navigate_on_drag_drop: bool = setting(
        default=False, text="Open files and addresses that are dropped on a page.", addition=True
    )
    on_certificate_error: CertificateErrors = setting(
        CertificateErrors, "Pages whose certificate is invalid.", addition=True
    )
    allowed_external_uri_schemes: Strings = setting(
        (),
        "Schemes, such as mailto, whose links open other programs.",
        alias="allowedExternalURISchemes",
        addition=True,
    )
    permissions: Strings = setting(
        (),
        "Permissions granted to pages: camera, microphone, screen, geolocation, notifications, clipboard, fonts, "
        "mouseLock.",
        addition=True,
    )

    def findings(self) -> Iterator[SectionProblem]:
        """Refuse permissions that pages cannot ask for."""
        unknown = [name for name in self.permissions if name not in PERMISSIONS]
        if unknown:
            message = f"{', '.join(unknown)}: not a permission; use {', '.join(PERMISSIONS)}"
            yield SectionProblem(severity=Severity.ERROR, member="permissions", message=message)


class Library(Section, effect=Effect.CODE):
    """A script that holds a library."""

    source: str | None = setting(None, "Address or file of the library.", addition=True)
    fallback: str | None = setting(None, "Address or file that is used if the source cannot be loaded.", addition=True)
    timeout: Amount | None = setting(None, "Maximum time for loading the library.", unit=Unit.MS, addition=True)


class AutoInjectApi(Section, effect=Effect.CODE):
    """The client library, put into pages before their own scripts."""

    enabled: bool = setting(default=False, text="Inject the library into pages.", addition=True)
    library: Library = setting(Library, "Source of the library; Rostrum does not include it.", addition=True)
    version: str | None = setting(None, "Version of the library; for information only.", addition=True)
    auto_init: Any = setting(None, "Initialize the library: true, or an object with its options.", addition=True)
    allowed: Strings | None = setting(None, "Apps that receive the library; default: all.", addition=True)
    blocked: Strings = setting((), "Apps that do not receive the library.", addition=True)

    def findings(self) -> Iterator[SectionProblem]:
        """Require the library, because none is shipped."""
        if self.enabled and not self.library.source:
            message = "names no library; set library.source, because Rostrum does not include the client library"
            yield SectionProblem(severity=Severity.WARNING, member="enabled", message=message)


class AutoInjectFdc3(Section, effect=Effect.CODE):
    """The FDC3 library, put into pages before their own scripts."""

    enabled: bool = setting(default=False, text="Inject the library into pages.", addition=True)
    library: Library = setting(Library, "Source of the library.", addition=True)
    allowed: Strings | None = setting(None, "Apps that receive the library; default: all.", addition=True)
    blocked: Strings = setting((), "Apps that do not receive the library.", addition=True)


class Handlers(Section, effect=Effect.PLAIN):
    """Asking a page before something happens to it."""

    enabled: bool = setting(default=True, text="Ask the page before the operation.", addition=True)
    timeout: Amount = setting(
        60000,
        "Time within which the page must respond. After this time, the operation is performed.",
        unit=Unit.MS,
        addition=True,
    )


class Windows(Section):
    """Defaults for all windows."""

    channel_selector: ChannelSelector = setting(ChannelSelector, "The channel selector.")
    preload_scripts: Strings | PreloadScripts | None = setting(
        None, "Scripts that run before the scripts of each page.", app_types=_WITH_SCRIPTS, effect=Effect.CODE
    )
    response_headers: Any = setting(
        None,
        "Changes of response headers. Not supported, because the browser engine cannot change them.",
        scope=Scope.REAPPLIED,
        effect=Effect.PERMISSION,
    )
    memory_limit: Amount | None = setting(
        None,
        "Maximum memory of a page in megabytes. A page that uses more memory is stopped.",
        addition=True,
        effect=Effect.PLAIN,
    )
    url_filter: Any = setting(
        None,
        "Address or regular expression. Pages can load only the addresses that it allows.",
        scope=Scope.REAPPLIED,
        effect=Effect.PERMISSION,
    )
    security: WindowSecurity = setting(WindowSecurity, "Permissions and restrictions of pages.", addition=True)
    auto_inject_api: AutoInjectApi = setting(
        AutoInjectApi, "The client library for pages.", alias="autoInjectAPI", addition=True
    )
    auto_inject_fdc3: AutoInjectFdc3 = setting(AutoInjectFdc3, "The FDC3 library for pages.", addition=True)
    close_handlers: Handlers = setting(Handlers, "Whether a page is asked before its window is closed.", addition=True)
    refresh_handlers: Handlers = setting(Handlers, "Whether a page is asked before it is reloaded.", addition=True)
    native_window_open: Literal["off", "window", "browser"] = setting(
        "window",
        "Where window.open shows pages: in a window of the platform, in the browser of the system, or not at all "
        "(off).",
        addition=True,
        effect=Effect.PLAIN,
    )

    def findings(self) -> Iterator[SectionProblem]:
        """Report rules for response headers, which are not supported, and a filter with unexpected effects."""
        error = None if self.url_filter is None else rule_error(self.url_filter)
        if error is not None:
            message = f"cannot be used, so pages load nothing: {error}"
            yield SectionProblem(severity=Severity.WARNING, member="urlFilter", message=message)
        for message in () if self.url_filter is None or error else rule_weaknesses(self.url_filter):
            yield SectionProblem(severity=Severity.WARNING, member="urlFilter", message=message)
        names = [*self.response_headers] if isinstance(self.response_headers, Mapping) else []
        if names:
            message = (
                f"{', '.join(names)}: not supported, because the browser engine cannot change the headers of "
                "responses, and TLS connections are not intercepted"
            )
            yield SectionProblem(severity=Severity.ERROR, member="responseHeaders", message=message)
