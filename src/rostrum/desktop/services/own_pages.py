"""Serves the platform's own pages; each may only call the methods that it needs."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rostrum.base.errors import RostrumError
from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import Focus
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import OwnPageClosed, PageCall, Reports
from rostrum.desktop.services.alerts import Alerts
from rostrum.desktop.services.channels import Channels
from rostrum.desktop.services.hotkeys import Hotkeys
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.layout_placeholders import Placeholders
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.notifications import Notifications
from rostrum.desktop.services.page_contents import about, effective_settings, log_names, log_tail
from rostrum.desktop.services.themes import ThemeService
from rostrum.desktop.services.tray import Leave
from rostrum.desktop.services.workspace_page import WorkspacePage
from rostrum.desktop.windows.own_pages import color_scheme, own_page
from rostrum.gateway.errors import GatewayError
from rostrum.sources.load import Loaded

_MOST_FEEDBACK = 10_000

_EVERY_PAGE = ("Pages.Theme",)
METHODS_OF_PAGES: Mapping[str, frozenset[str]] = {
    page: frozenset((*_EVERY_PAGE, *methods))
    for page, methods in {
        "alert": ("Pages.Alert",),
        "launcher": (
            "Pages.Focus",
            "Pages.Leave",
            "Pages.Running",
            "Pages.SetChannel",
            "Pages.Show",
            "Pages.Summary",
            "Rostrum.Apps.List",
            "Rostrum.Apps.Start",
            "Rostrum.Instances.Stop",
            "Rostrum.Layouts.List",
            "Rostrum.Layouts.Restore",
            "Rostrum.Notifications.List",
            "Rostrum.Search.Find",
        ),
        "notifications": (
            "Pages.CloseNotifications",
            "Rostrum.Notifications.Click",
            "Rostrum.Notifications.Close",
            "Rostrum.Notifications.List",
            "Rostrum.Notifications.Snooze",
        ),
        "layouts": (
            "Rostrum.Layouts.List",
            "Rostrum.Layouts.Remove",
            "Rostrum.Layouts.Restore",
            "Rostrum.Layouts.Save",
            "Rostrum.Layouts.SetDefault",
        ),
        "themes": ("Rostrum.Themes.List", "Rostrum.Themes.Select"),
        "hotkeys": ("Pages.Hotkeys", "Pages.RemoveHotkey"),
        "feedback": ("Pages.SendFeedback",),
        "settings": ("Pages.Settings",),
        "logs": ("Pages.Logs", "Pages.LogTail"),
        "placeholder": ("Pages.ClosePlaceholder", "Pages.Placeholder", "Pages.Retry"),
        "diagnostics": ("Pages.Show", "Rostrum.Platform.Status"),
        "about": ("Pages.About",),
        "workspaces": (
            "Workspaces.Add",
            "Workspaces.Choices",
            "Workspaces.Close",
            "Workspaces.Eject",
            "Workspaces.New",
            "Workspaces.Open",
            "Workspaces.Rearranged",
            "Workspaces.Save",
            "Workspaces.Select",
        ),
    }.items()
}
"""The methods that each page may call: of the platform on the gateway, and of this service."""

_CHANGES = {
    "Rostrum.Layouts.Remove": "layouts",
    "Rostrum.Layouts.Save": "layouts",
    "Rostrum.Layouts.SetDefault": "layouts",
}
"""Parts of other open pages that change after a call."""

Call = Callable[[str, Mapping[str, Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPageServices:
    """The services that the pages use.

    Attributes:
        call: Calls a method that the platform offers on the gateway, so that pages and apps get the same service.
        loaded: Returns the current configuration.
        summary: Returns user, environment and whether the desktop is offline.
        logs: The folder of the log files.
    """

    call: Call
    instances: Instances
    channels: Channels
    themes: ThemeService
    notifications: Notifications
    hotkeys: Hotkeys
    leave: Leave
    loaded: Callable[[], Loaded]
    summary: Callable[[], Mapping[str, Any]]
    send_feedback: Callable[[str], Awaitable[str]]
    logs: Path
    layouts: LayoutService
    placeholders: Placeholders
    alerts: Alerts
    workspaces: WorkspacePage | None = None


class OwnPages:
    """Opens pages, responds to their calls, and notifies them of changes."""

    def __init__(
        self, host: WindowHost, reports: Reports, services: OwnPageServices, background: BackgroundTasks
    ) -> None:
        self._host = host
        self._services = services
        self._background = background
        self._open: set[str] = set()
        self._changed: set[str] = set()
        self._is_sending = False
        self._methods: dict[str, Callable[[PageCall], Awaitable[Any]]] = {
            "Pages.About": self._about,
            "Pages.Alert": self._alert,
            "Pages.CloseNotifications": self._close_notifications,
            "Pages.ClosePlaceholder": self._close_placeholder,
            "Pages.Focus": self._focus,
            "Pages.Hotkeys": self._hotkeys,
            "Pages.Leave": self._leave,
            "Pages.LogTail": self._log_tail,
            "Pages.Logs": self._logs,
            "Pages.Placeholder": self._placeholder,
            "Pages.RemoveHotkey": self._remove_hotkey,
            "Pages.Retry": self._retry,
            "Pages.Running": self._running,
            "Pages.SendFeedback": self._send_feedback,
            "Pages.SetChannel": self._set_channel,
            "Pages.Settings": self._settings,
            "Pages.Show": self._show,
            "Pages.Summary": self._summary,
            "Pages.Theme": self._theme,
        }
        if services.workspaces is not None:
            self._methods |= services.workspaces.methods
        reports.handle(PageCall, self.answer)
        reports.listen(OwnPageClosed, lambda closed: self._open.discard(closed.page))

    async def show(self, name: str) -> None:
        """Show a page, or bring it to the front."""
        page = own_page(name)
        if page is None:
            raise DesktopError(f"the platform has no page {name!r}")
        self._open.add(page.name)
        await self._host.show_own(page.name)

    async def answer(self, call: PageCall) -> Any:
        """Respond to a call of a page; reject methods that this page may not call."""
        if call.method not in METHODS_OF_PAGES.get(call.page, ()):
            raise DesktopError(f"the page {call.page!r} may not call {call.method!r}")
        # Pages opened by the tray or the host.
        self._open.add(call.page)
        own = self._methods.get(call.method)
        try:
            result = await (self._services.call(call.method, call.arguments) if own is None else own(call))
        except GatewayError as error:
            # An error of the service, or the end of the platform: the page shows the reason.
            raise DesktopError(str(error)) from error
        if call.method in _CHANGES:
            self.tell(_CHANGES[call.method])
        return result

    def follow(self, signal: Signal[Any], topic: str) -> None:
        """Notify open pages of a change each time a signal is emitted."""
        signal.connect(lambda _: self.tell(topic))

    def tell(self, topic: str) -> None:
        """Notify open pages of a change; several changes at once are one event."""
        if not self._open:
            return
        self._changed.add(topic)
        if not self._is_sending:
            self._is_sending = True
            self._background.begin(self._send())

    async def _send(self) -> None:
        try:
            while self._changed:
                topic = self._changed.pop()
                await self._host.send_to_pages("changed", {"topic": topic})
                if topic == "themes":
                    await self._host.send_to_pages("theme", self._scheme())
        finally:
            self._is_sending = False

    def _scheme(self) -> dict[str, Any]:
        themes = self._services.themes
        selected = next((theme for theme in themes.themes if theme.name == themes.selected), None)
        scheme = None if selected is None else color_scheme(selected.name, selected.properties)
        return {"scheme": scheme}

    async def _theme(self, _: PageCall) -> Any:
        return self._scheme()

    async def _show(self, call: PageCall) -> Any:
        await self.show(text(call.arguments, "page"))
        return {}

    async def _running(self, _: PageCall) -> Any:
        services = self._services
        described = services.channels.described
        return {
            "channels": [{"name": name, "color": meta.get("color")} for name, meta in described.items()],
            "instances": [
                {"id": one.id, "app": one.app, "title": one.title, "channels": list(services.channels.of(one.id))}
                for one in services.instances.all
                if not one.definition.get("hidden")
            ],
        }

    async def _set_channel(self, call: PageCall) -> Any:
        instance, channel = text(call.arguments, "instance"), call.arguments.get("channel")
        if self._services.instances.get(instance) is None:
            raise DesktopError("the app is no longer running")
        self._services.channels.choose(instance, [str(channel)] if channel else [])
        return {}

    async def _focus(self, call: PageCall) -> Any:
        instance = text(call.arguments, "instance")
        if self._services.instances.get(instance) is None:
            raise DesktopError("the app is no longer running")
        await self._host.act(instance, Focus())
        return {}

    async def _leave(self, call: PageCall) -> Any:
        return {"left": bool(await self._services.leave(restart=call.arguments.get("restart") is True))}

    async def _placeholder(self, call: PageCall) -> Any:
        found = self._services.placeholders.find(call.instance)
        return {"title": found.title, "reason": found.reason}

    async def _retry(self, call: PageCall) -> Any:
        try:
            await self._services.layouts.retry(call.instance)
        except RostrumError as error:
            raise DesktopError(str(error)) from error
        return {}

    async def _close_placeholder(self, call: PageCall) -> Any:
        await self._services.placeholders.close(call.instance)
        return {}

    async def _alert(self, call: PageCall) -> Any:
        return self._services.alerts.contents(call.instance)

    async def _summary(self, _: PageCall) -> Any:
        return dict(self._services.summary())

    async def _close_notifications(self, _: PageCall) -> Any:
        await self._services.notifications.close_all()
        return {}

    async def _hotkeys(self, _: PageCall) -> Any:
        known = self._services.hotkeys.all
        return {
            "hotkeys": [
                {"keys": keys, "hotkey": one.written, "description": one.description, "app": one.app or ""}
                for keys, one in known.items()
            ]
        }

    async def _remove_hotkey(self, call: PageCall) -> Any:
        await self._services.hotkeys.take_away(text(call.arguments, "keys"))
        return {}

    async def _send_feedback(self, call: PageCall) -> Any:
        description = text(call.arguments, "description")
        if len(description) > _MOST_FEEDBACK:
            raise DesktopError(f"the description must have at most {_MOST_FEEDBACK} characters")
        return {"id": await self._services.send_feedback(description)}

    async def _about(self, _: PageCall) -> Any:
        return await asyncio.to_thread(about, self._services.loaded())

    async def _settings(self, _: PageCall) -> Any:
        return {"settings": await asyncio.to_thread(effective_settings, self._services.loaded())}

    async def _logs(self, _: PageCall) -> Any:
        folder = self._services.logs
        return {"folder": str(folder), "files": await asyncio.to_thread(log_names, folder)}

    async def _log_tail(self, call: PageCall) -> Any:
        name = text(call.arguments, "file")
        return {"text": await asyncio.to_thread(log_tail, self._services.logs, name)}
