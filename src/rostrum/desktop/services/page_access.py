"""Access of app pages to the platform, and responses to their requests."""

import asyncio
import logging
import webbrowser
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rostrum.base.address_rules import is_same
from rostrum.base.ids import new_id
from rostrum.contracts.addresses import origin_of
from rostrum.contracts.apps.unsupported import unsupported_details
from rostrum.desktop.app_tokens import AppTokens
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import Opened, PageAccess, WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import (
    MayNavigate,
    Navigated,
    PermissionRequested,
    Reports,
    TokenWanted,
    WindowClosed,
    WindowRequested,
)
from rostrum.desktop.launch.launcher import Launch
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.page_scripts import PageScripts
from rostrum.desktop.windows.chrome import first_channel
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.page_access import (
    PageIdentity,
    allowed_origins,
    handler_timeout,
    may_navigate,
    page_info,
    security_of,
    window_open_mode,
    window_open_problem,
)
from rostrum.desktop.windows.pages import Page
from rostrum.settings.settings import Settings

_log = logging.getLogger(__name__)
_MOST_POPUPS = 50
"""Maximum number of open windows that one window may open with window.open."""
_POPUP = {"width": 800.0, "height": 600.0}


@dataclass(frozen=True, slots=True)
class _Window:
    """A window of an app that is running or being started: its page may send requests before the start is complete."""

    id: str
    app: str
    kind: str
    details: Mapping[str, Any] = field(repr=False)


async def _yes(_: str, __: str) -> bool:
    return True


class Pages:
    """Decides which pages get the API of the platform, tokens, permissions and windows."""

    def __init__(
        self,
        settings: Settings,
        host: WindowHost,
        tokens: AppTokens,
        *,
        scripts: PageScripts,
        identity: PageIdentity,
        gateway: str,
        definition: Callable[[str], Mapping[str, Any] | None],
        trusted: Callable[[str], bool],
        opens_files: Callable[[str], bool],
        html_container: bool = False,
    ) -> None:
        self._settings = settings
        self._host = host
        self._tokens = tokens
        self._scripts = scripts
        self._identity = identity
        self._gateway = gateway
        self._definition = definition
        self._trusted = trusted
        self._opens_files = opens_files
        self._html_container = html_container
        self._windows: dict[str, _Window] = {}
        self._elsewhere: set[str] = set()
        self._named: set[str] = set()
        self._popups: dict[str, str] = {}

    async def access(self, launch: Launch, page: Page | None) -> PageAccess:
        """Return the access of the page of an app that is about to start; raise LaunchFailed if a script is missing."""
        app, windows = str(launch.definition["name"]), self._settings.windows
        details, rules = launch.details, self._rules(app, launch.details)
        trusted = self._trusted(app)
        self._name_unsupported(app, launch.definition)
        written = details.get("context")
        context = {**(written if isinstance(written, Mapping) else {}), **launch.context}
        access = PageAccess(
            origins=allowed_origins(rules),
            gateway=self._gateway,
            info=page_info(
                launch.instance,
                launch.definition,
                self._identity,
                context=context,
                channel=first_channel(str(launch.definition["type"]), details, windows.channel_selector),
                screens=self._host.screens(),
                name=str(details.get("name") or app),
                html_container=self._html_container,
            ),
            trusted=trusted,
            scripts=await self._scripts.of(launch.definition, page),
            security=security_of(rules, windows.security, trusted=trusted),
            close_timeout=handler_timeout(rules, "closeHandlers", windows.close_handlers),
            refresh_timeout=handler_timeout(rules, "refreshHandlers", windows.refresh_handlers),
        )
        self._windows[launch.instance] = _Window(launch.instance, app, str(launch.definition["type"]), details)
        return access

    def _name_unsupported(self, app: str, definition: Mapping[str, Any]) -> None:
        """Log the unsupported and risky members of an app's definition, once for each app."""
        if app not in self._named:
            self._named.add(app)
            for path, message, _ in unsupported_details(definition):
                _log.warning("%s: %s %s", app, path, message)

    def _rules(self, app: str, details: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the details of an app's definition, whose rules apply to all of its windows."""
        defined = self._definition(app)
        rules: Mapping[str, Any] = details if defined is None else defined["details"]
        return rules

    def handle(
        self,
        reports: Reports,
        instances: Instances,
        *,
        open_window: Callable[[WindowRequest], Awaitable[Opened]],
        browse: Callable[[str], None],
        may_leave: Callable[[str, str], Awaitable[bool]] = _yes,
    ) -> None:
        """Start to handle requests of pages.

        ``open_window`` opens a window that belongs to no app, ``browse`` shows an address in the system's browser,
        ``may_leave`` calls the apps that may prevent a navigation.
        """

        async def token(wanted: TokenWanted) -> str | None:
            return self._token(self._windows.get(wanted.instance), wanted)

        async def may_go(wanted: MayNavigate) -> bool:
            allowed = self._may_navigate(self._windows.get(wanted.instance), wanted)
            return allowed and await may_leave(wanted.instance, wanted.url)

        async def permitted(wanted: PermissionRequested) -> bool:
            return self._permitted(self._windows.get(wanted.instance), wanted)

        async def requested(wanted: WindowRequested) -> bool:
            return await self._requested(wanted, instances, open_window, browse)

        reports.handle(TokenWanted, token)
        reports.handle(MayNavigate, may_go)
        reports.handle(PermissionRequested, permitted)
        reports.handle(WindowRequested, requested)
        reports.listen(Navigated, self._navigated)
        reports.listen(WindowClosed, lambda one: self._forget(one.instance))
        instances.failed.connect(self._forget)

    def _token(self, window: _Window | None, wanted: TokenWanted) -> str | None:
        if window is None:
            return None
        if wanted.origin not in self._origins(window):
            _log.warning(
                "%s: a page of %.200s got no token, because its origin is not in the app's definition (url, "
                "allowedOrigins)",
                window.app,
                wanted.origin,
            )
            return None
        return self._tokens.token(window.id, window.app, window.kind)

    def _may_navigate(self, window: _Window | None, wanted: MayNavigate) -> bool:
        if window is None:
            # A page without an app may only be shown.
            return origin_of(wanted.url) is not None and not wanted.url.lower().startswith("file:")
        is_own = is_same(window.details.get("url"), wanted.url)
        if is_own or may_navigate(self._of(window), wanted.url, files=self._opens_files(window.app)):
            return True
        _log.info("%s: navigation to %.200s refused by navigation.allowed or its scheme", window.app, wanted.url)
        return False

    def _permitted(self, window: _Window | None, wanted: PermissionRequested) -> bool:
        if window is None or wanted.origin not in self._origins(window):
            return False
        security = security_of(self._of(window), self._settings.windows.security, trusted=self._trusted(window.app))
        allowed = wanted.permission in security.permissions
        if not allowed:
            _log.info(
                "%s: permission %s denied; windows.security.permissions does not list it",
                window.app,
                wanted.permission,
            )
        return allowed

    def _navigated(self, report: Navigated) -> None:
        """Revoke the token of a window that now shows a page of another origin."""
        window = self._windows.get(report.instance)
        if window is None:
            return
        if origin_of(report.url) in self._origins(window):
            self._elsewhere.discard(window.id)
        elif window.id not in self._elsewhere:
            self._elsewhere.add(window.id)
            self._tokens.revoke(window.id, "the window shows a page of another origin")

    def _forget(self, window: str) -> None:
        self._windows.pop(window, None)
        self._elsewhere.discard(window)
        self._popups.pop(window, None)

    def _of(self, window: _Window) -> Mapping[str, Any]:
        return self._rules(window.app, window.details)

    def _origins(self, window: _Window) -> tuple[str, ...]:
        return allowed_origins(self._of(window))

    async def _requested(
        self,
        wanted: WindowRequested,
        instances: Instances,
        open_window: Callable[[WindowRequest], Awaitable[Opened]],
        browse: Callable[[str], None],
    ) -> bool:
        opener = self._windows.get(wanted.opener)
        problem = self._why_not_opened(opener, wanted)
        if opener is None or problem:
            _log.info("a window for %.200s was not opened: %s", wanted.url, problem)
            return False
        mode = window_open_mode(self._of(opener), self._settings.windows)
        if mode == "browser" and origin_of(wanted.url) is not None:
            browse(wanted.url)
            return False
        try:
            if origin_of(wanted.url) in self._origins(opener):
                opened = await instances.open_window(
                    opener.id, wanted.name, popup_details(wanted), {}, adopts=wanted.page
                )
                self._popups[opened.id] = opener.id
            else:
                request = plain_window(wanted)
                self._popups[request.instance] = opener.id
                await open_window(request)
        except DesktopError as error:
            _log.warning("%s: window.open failed: %s", opener.app, error)
            return False
        return True

    def _why_not_opened(self, opener: _Window | None, wanted: WindowRequested) -> str | None:
        if opener is None:
            return "the page that wants it belongs to no app"
        if window_open_mode(self._of(opener), self._settings.windows) == "off":
            return "nativeWindowOpen is off"
        if Counter(self._popups.values())[opener.id] >= _MOST_POPUPS:
            return f"the window has {_MOST_POPUPS} windows open, which is the limit"
        return window_open_problem(self._of(opener), wanted.url)


def popup_details(wanted: WindowRequested) -> dict[str, Any]:
    """Return the details of a window that a page opens: its address and the given features."""
    bounds = wanted.bounds
    size = _POPUP if bounds is None else {"width": bounds.width, "height": bounds.height}
    place = {} if bounds is None else {"left": bounds.left, "top": bounds.top}
    details: dict[str, Any] = {"url": wanted.url or "about:blank", "name": wanted.name, **place, **size}
    for name, member in _FEATURES.items():
        if name in wanted.features:
            details[member] = wanted.features[name].lower() in ("true", "yes", "1", "")
    if wanted.features.get("mode") in ("flat", "html", "frameless", "tab"):
        details["mode"] = wanted.features["mode"]
    return details


_FEATURES = {
    "hidden": "hidden",
    "ontop": "onTop",
    "transparent": "transparent",
    "roundedcorners": "roundedCorners",
    "hassizeareas": "hasSizeAreas",
    "hasmoveareas": "hasMoveAreas",
    "showintaskbar": "showInTaskbar",
}


def plain_window(wanted: WindowRequested) -> WindowRequest:
    """Return a window for a page without an app, which gets no access to the platform."""
    details = popup_details(wanted)
    bounds = wanted.bounds
    return WindowRequest(
        instance=new_id(),
        kind="popup",
        title=wanted.name,
        name=wanted.name,
        details=details,
        bounds=bounds if bounds is not None else Bounds(100, 100, _POPUP["width"], _POPUP["height"]),
        hidden=details.get("hidden") is True,
        opener=wanted.opener,
        # A blank page shows what its opener writes into it, so it must not outlive the opener.
        parent=wanted.opener if origin_of(wanted.url) is None else None,
        adopts=wanted.page,
    )


def show_in_browser(url: str) -> None:
    """Show a page in the system's browser, without waiting for it."""
    asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url)
