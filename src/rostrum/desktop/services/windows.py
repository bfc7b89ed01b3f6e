"""Titles, channel selectors and page rules of the windows of running apps."""

from collections.abc import Callable, Mapping
from typing import Any

from rostrum.base.shown_text import shown_text
from rostrum.desktop.arguments import text
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.callers import Caller
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import DocumentTitled, Reports, Retitled
from rostrum.desktop.services.groups import WindowGroups
from rostrum.desktop.services.instances import Ended, Instance, Instances
from rostrum.desktop.services.methods import method
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.titles import TitledBy
from rostrum.desktop.windows.chrome import chrome_of
from rostrum.desktop.windows.pages import spelling_of
from rostrum.desktop.windows.requests import PageRequests
from rostrum.settings.scope import AppType, Mode
from rostrum.settings.sections.user_interface import Spellchecker
from rostrum.settings.settings import Settings

_LONGEST_TITLE = 1000


class WindowManager:
    """Synchronizes the windows of running apps with the apps and the settings."""

    def __init__(
        self,
        settings: Settings,
        mode: Mode,
        host: WindowHost,
        instances: Instances,
        *,
        groups: WindowGroups,
        tabs: TabGroups,
        reports: Reports,
        background: BackgroundTasks,
    ) -> None:
        self._settings = settings
        self._mode = mode
        self._host = host
        self._instances = instances
        self._groups = groups
        self._tabs = tabs
        self._background = background
        self._selectors: set[str] = set()
        reports.listen(Retitled, lambda report: background.begin(self._retitled(report)))
        reports.listen(DocumentTitled, lambda report: background.begin(self._document_titled(report)))
        instances.launched.connect(self._launched)
        instances.ended.connect(self._ended)

    async def retitle(self, instance: str, title: str, by: TitledBy) -> None:
        """Set another title, unless the current one has priority."""
        title = shown_text(title)
        if not self._instances.retitle(instance, title, by):
            return
        if self._host.bounds(instance) is not None:
            await self._host.set_title(instance, title)
            await self._tabs.redraw(instance)

    def stop_unknown(self, is_known: Callable[[str], bool]) -> None:
        """Stop the running instances of removed apps."""
        for instance in self._instances.all:
            if not is_known(instance.app):
                self._background.begin(self._instances.stop(instance.id))

    def set_spelling(self, settings: Spellchecker) -> None:
        """Apply the current spell-checking settings to open pages."""
        self._background.begin(self._host.set_spelling(spelling_of(settings)))

    def set_requests(self, rules: PageRequests) -> None:
        """Apply the current request rules to pages."""
        self._background.begin(self._host.set_requests(rules))

    async def _retitled(self, report: Retitled) -> None:
        instance = self._instances.get(report.instance)
        if instance is not None and chrome_of(instance.definition, self._settings, self._mode).title_editable:
            await self.retitle(report.instance, report.title, TitledBy.PERSON)

    async def _document_titled(self, report: DocumentTitled) -> None:
        if report.title:
            await self.retitle(report.instance, report.title, TitledBy.DOCUMENT)

    def _launched(self, instance: Instance) -> None:
        if instance.type.lower() != AppType.EXE:
            # Windows of other apps are opened with their decorations.
            return
        chrome = chrome_of(instance.definition, self._settings, self._mode)
        if chrome.selector is not None:
            self._selectors.add(instance.id)
            self._background.begin(self._host.show_selector(instance.id, instance.process, chrome.selector))

    def _ended(self, ended: Ended) -> None:
        instance = ended.instance.id
        if instance in self._selectors:
            self._selectors.discard(instance)
            self._background.begin(self._host.hide_selector(instance))
        self._background.begin(self._ungroup(instance))

    async def _ungroup(self, instance: str) -> None:
        # The tab first: the next one takes its place in the group.
        await self._tabs.leave(instance)
        await self._groups.forget(instance)


class WindowMethods:
    """Windows on the gateway."""

    def __init__(self, windows: WindowManager, instances: Instances) -> None:
        self._windows = windows
        self._instances = instances

    @method("Rostrum.Windows.SetTitle")
    async def set_title(self, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """Set the title of an instance; by default, of the caller's own."""
        instance = text(arguments, "instance") if "instance" in arguments else caller.instance
        if instance is None or self._instances.get(instance) is None:
            raise DesktopError(f"there is no instance {instance!r}" if instance else "instance must be text")
        title = text(arguments, "title")
        if len(title) > _LONGEST_TITLE:
            raise DesktopError(f"title must have at most {_LONGEST_TITLE} characters")
        await self._windows.retitle(instance, title, TitledBy.CODE)
        return {}
