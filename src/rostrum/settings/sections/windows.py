"""windows: what holds for all windows."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import AppType, Scope, Unit
from rostrum.settings.setting import Finding, Need, Section, setting
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
"""What pages may ask for."""


class ChannelSelector(Section, app_types=_WITH_SELECTOR):
    """The box that chooses a window's channel."""

    enabled: bool = setting(default=False, text="Show it.", since="9.3")
    channel_id: str | None = setting(None, "Channel joined at start.")
    read_only: bool = setting(default=False, text="Keep users from changing it.")
    type: Literal["single", "directionalSingle", "multi", "directionalMulti"] = setting(
        "single",
        "One channel or many (web groups only), with directions or without.",
        words={"multi": Need(since="9.7"), "directionalMulti": Need(since="9.8")},
    )


class PreloadScripts(Section, app_types=_WITH_SCRIPTS):
    """Scripts run before a page's own, with the way they are put in."""

    scripts: Strings | None = setting(None, "Addresses of the scripts.")
    use_base64_preload_scripts: bool = setting(
        default=False, text="Put the scripts in as Base64 text.", alias="useBase64PreloadScripts"
    )


class CertificateErrors(Section):
    """Pages whose certificate is invalid."""

    action: Literal["allow", "deny", "ask"] = setting("deny", "What happens to such a page.", addition=True)


class WindowSecurity(Section):
    """What pages may do; replaces the security of app definitions, except those of trusted stores."""

    allow_running_insecure_content: bool = setting(
        default=False, text="Let secure pages load insecure content.", addition=True
    )
    navigate_on_drag_drop: bool = setting(
        default=False, text="Open files and addresses that are dropped on a page.", addition=True
    )
    on_certificate_error: CertificateErrors = setting(
        CertificateErrors, "Pages whose certificate is invalid.", addition=True
    )
    allowed_external_uri_schemes: Strings = setting(
        (), "Schemes of addresses that other programs may open.", alias="allowedExternalURISchemes", addition=True
    )
    permissions: Strings = setting(
        (),
        "What pages get when they ask: camera, microphone, screen, geolocation, notifications, clipboard, fonts, "
        "mouseLock.",
        addition=True,
    )

    def findings(self) -> Iterator[Finding]:
        """Refuse permissions that pages cannot ask for."""
        unknown = [name for name in self.permissions if name not in PERMISSIONS]
        if unknown:
            message = f"{', '.join(unknown)}: not a permission; use {', '.join(PERMISSIONS)}"
            yield Finding(severity=Severity.ERROR, member="permissions", message=message)


class Library(Section):
    """A script that holds a library."""

    source: str | None = setting(None, "Address or file of the library.", addition=True)
    fallback: str | None = setting(None, "Address or file used when the first cannot be loaded.", addition=True)
    timeout: Amount | None = setting(None, "Longest wait for it.", unit=Unit.MS, addition=True)


class AutoInjectApi(Section):
    """The client library, put into pages before their own scripts."""

    enabled: bool = setting(default=False, text="Put the library into pages.", addition=True)
    library: Library = setting(Library, "Where the library comes from; Rostrum does not ship one.", addition=True)
    version: str | None = setting(None, "Version of the library; for information only.", addition=True)
    auto_init: Any = setting(None, "Initialize the library too: true, or the options for it.", addition=True)
    allowed: Strings | None = setting(None, "Apps that get it; all when missing.", addition=True)
    blocked: Strings = setting((), "Apps that do not get it.", addition=True)

    def findings(self) -> Iterator[Finding]:
        """Require the library, because none is shipped."""
        if self.enabled and not self.library.source:
            message = "names no library; set library.source, because Rostrum does not ship the client library"
            yield Finding(severity=Severity.WARNING, member="enabled", message=message)


class AutoInjectFdc3(Section):
    """The FDC3 library, put into pages before their own scripts."""

    enabled: bool = setting(default=False, text="Put the library into pages.", addition=True)
    library: Library = setting(Library, "Where the library comes from.", addition=True)
    allowed: Strings | None = setting(None, "Apps that get it; all when missing.", addition=True)
    blocked: Strings = setting((), "Apps that do not get it.", addition=True)


class Handlers(Section):
    """Asking a page before something happens to it."""

    enabled: bool = setting(default=True, text="Ask the page.", addition=True)
    timeout: Amount = setting(60000, "Longest wait for its answer.", unit=Unit.MS, addition=True)


class Windows(Section):
    """What holds for all windows."""

    channel_selector: ChannelSelector = setting(ChannelSelector, "The box that chooses a channel.")
    preload_scripts: Strings | PreloadScripts | None = setting(
        None, "Scripts run before a page's own.", app_types=_WITH_SCRIPTS
    )
    response_headers: Any = setting(None, "Headers changed in answers to windows.", scope=Scope.REAPPLIED)
    memory_limit: Amount | None = setting(
        None, "Megabytes that the process of a page may use; a page that uses more is ended.", addition=True
    )
    url_filter: Any = setting(None, "Which addresses windows may open.", scope=Scope.REAPPLIED)
    security: WindowSecurity = setting(WindowSecurity, "What pages may do.", addition=True)
    auto_inject_api: AutoInjectApi = setting(
        AutoInjectApi, "The client library, put into pages.", alias="autoInjectAPI", addition=True
    )
    auto_inject_fdc3: AutoInjectFdc3 = setting(AutoInjectFdc3, "The FDC3 library, put into pages.", addition=True)
    close_handlers: Handlers = setting(Handlers, "Asking a page before its window closes.", addition=True)
    refresh_handlers: Handlers = setting(Handlers, "Asking a page before it is loaded again.", addition=True)
    native_window_open: Literal["off", "window", "browser"] = setting("window", "What window.open does.", addition=True)

    def findings(self) -> Iterator[Finding]:
        """Refuse the rules for response headers by their names."""
        names = [*self.response_headers] if isinstance(self.response_headers, Mapping) else []
        if names:
            message = (
                f"{', '.join(names)}: not supported, because the browser engine cannot change the headers of "
                "responses, and TLS connections are not intercepted"
            )
            yield Finding(severity=Severity.ERROR, member="responseHeaders", message=message)
