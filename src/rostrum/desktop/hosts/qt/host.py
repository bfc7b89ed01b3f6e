"""Implements the methods of the port with Qt."""

import logging
from collections import ChainMap
from collections.abc import Mapping
from typing import Any, cast

from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWebEngineCore import QWebEngineDownloadRequest, QWebEngineNewWindowRequest
from PySide6.QtWidgets import QApplication, QWidget

from rostrum.base.ids import new_id
from rostrum.desktop.hosts.actions import WindowAction
from rostrum.desktop.hosts.port import (
    AppChoice,
    ChannelAccess,
    ChannelColor,
    DialogLook,
    LoginScreen,
    Opened,
    Splash,
    Theme,
    Toast,
    TrayEntry,
    WindowRequest,
)
from rostrum.desktop.hosts.qt.cookies import Cookies
from rostrum.desktop.hosts.qt.dialog_page import DialogPage
from rostrum.desktop.hosts.qt.dialogs import QuestionDialog
from rostrum.desktop.hosts.qt.dispatcher import Refused
from rostrum.desktop.hosts.qt.drags import PointerWatch
from rostrum.desktop.hosts.qt.frame import Frame
from rostrum.desktop.hosts.qt.framed_window import FramedWindow
from rostrum.desktop.hosts.qt.group_frames import GroupFrames
from rostrum.desktop.hosts.qt.hotkeys import Hotkeys
from rostrum.desktop.hosts.qt.later import Later, resolved
from rostrum.desktop.hosts.qt.look import DARK, LIGHT
from rostrum.desktop.hosts.qt.memory import FreeMemory
from rostrum.desktop.hosts.qt.native_windows import NativeWindows
from rostrum.desktop.hosts.qt.origins import written
from rostrum.desktop.hosts.qt.own_pages import OwnPages
from rostrum.desktop.hosts.qt.page import AppPage
from rostrum.desktop.hosts.qt.page_api import Announced, PageApis
from rostrum.desktop.hosts.qt.page_keys import PageKeys
from rostrum.desktop.hosts.qt.pane import Pane
from rostrum.desktop.hosts.qt.placement import place_of
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.qt.profile import Profile
from rostrum.desktop.hosts.qt.resolver_window import ResolverWindow
from rostrum.desktop.hosts.qt.screens import ScreenWatch, capture_screen, screens_now
from rostrum.desktop.hosts.qt.shared import Shared
from rostrum.desktop.hosts.qt.sign_in_window import SignInWindow
from rostrum.desktop.hosts.qt.spelling import SpellChecker, dictionaries_folder
from rostrum.desktop.hosts.qt.splash import LayoutLoader, SplashWindow
from rostrum.desktop.hosts.qt.tab_places import TabPlaces
from rostrum.desktop.hosts.qt.toasts import Toasts
from rostrum.desktop.hosts.qt.tray import TrayIcon
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.hosts.qt.window_actions import execute
from rostrum.desktop.hosts.qt.window_pool import WindowPool
from rostrum.desktop.hosts.qt.workspace_frame import WorkspaceFrame
from rostrum.desktop.hosts.reports import (
    HotkeyPressed,
    ScreensChanged,
    ToastActionChosen,
    ToastClicked,
    ToastClosed,
    TrayChosen,
    WindowRequested,
    WindowState,
)
from rostrum.desktop.windows.chrome import Selector
from rostrum.desktop.windows.engine import Engine
from rostrum.desktop.windows.geometry import Bounds, back_on_screen
from rostrum.desktop.windows.groups import GroupDrawing
from rostrum.desktop.windows.loader import Loader
from rostrum.desktop.windows.own_pages import WORKSPACES, color_scheme, window_page
from rostrum.desktop.windows.page_access import monitors_of
from rostrum.desktop.windows.pages import Spelling
from rostrum.desktop.windows.requests import PageRequests
from rostrum.desktop.windows.tabs import TabDrawing

_log = logging.getLogger(__name__)
_MOST_WINDOWS = 500
_MOST_PENDING = 50


class QtHost(QObject):
    """All windows and other objects on the screen."""

    def __init__(self, engine: Engine, platform: Platform) -> None:
        """Start with an empty screen."""
        super().__init__()
        self._platform = platform
        self._profile = Profile(engine.folder, self)
        self._apis = PageApis()
        self._shared = Shared(
            platform=platform,
            profile=self._profile,
            pool=WindowPool(self._profile, platform, self),
            cookies=Cookies(self._profile.engine),
            apis=self._apis,
            screens=screens_now(),
            neighbours=self._neighbours,
        )
        self._windows: dict[str, AppWindow] = {}
        self._free_memory = FreeMemory(self)
        self._programs = NativeWindows(self._shared, self)
        self._programs.released.connect(self._program_released)
        self._framed: Mapping[str, FramedWindow] = ChainMap[str, FramedWindow](
            cast("dict[str, FramedWindow]", self._windows), cast("dict[str, FramedWindow]", self._programs.adopted)
        )
        self._groups = GroupFrames(self._shared, self._framed)
        self._programs.embedded.connect(self._groups.appeared)
        self._pointer = PointerWatch(self._window_at, platform.report, self)
        self._pending: dict[str, AppPage] = {}
        self._tabs = TabPlaces(self._framed, self._shared, self)
        self._programs.embedded.connect(self._tabs.appeared)
        self._programs.gone.connect(self._tabs.forget)
        self._workspaces: dict[str, WorkspaceFrame] = {}
        self._shared.tabs_at = self._tabs.target
        self._shared.workspaces_at = self._workspaces_at
        self._shared.tabs_dragged_over = self._tabs.preview
        self._shared.tab_changed = self._tabs.refresh
        self._shared.leave_group = lambda instance: self._groups.forget(self._framed[instance])
        self._shared.tab_place = self._tabs.of
        self._splash: SplashWindow | None = None
        self._login: SignInWindow | None = None
        self._loader: LayoutLoader | None = None
        self._dialogs: list[QuestionDialog | DialogPage] = []
        self._choices: dict[str, ResolverWindow] = {}
        self._own_pages = OwnPages(self._shared)
        self._tray = TrayIcon(lambda entry: platform.report(TrayChosen(entry=entry)), lambda: self._shared.look)
        self._shared.open_menu = self._tray.open_menu
        self._shared.claim_edge = self._programs.claim_edge
        self._toasts = Toasts(lambda: self._shared.look)
        self._toasts.clicked = lambda toast: platform.report(ToastClicked(toast=toast))
        self._toasts.action = lambda toast, name: platform.report(ToastActionChosen(toast=toast, action=name))
        self._toasts.closed = self._toast_closed
        self._hotkeys = Hotkeys(lambda keys: platform.report(HotkeyPressed(hotkey=keys)))
        self._spelling = SpellChecker(self._profile, dictionaries_folder(), engine.proxy, self)
        AppPage.ask_person = staticmethod(lambda question, choices: self.ask(question, choices, None))
        self._profile.engine.downloadRequested.connect(self._download_requested)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)
        self._screen_watch = ScreenWatch(self._screens_changed, self)

    def report_screens(self) -> None:
        """Report the displays."""
        self._platform.report(ScreensChanged(screens=self._shared.screens))

    def set_requests(self, rules: PageRequests) -> None:
        self._profile.set_requests(rules)

    def set_themes(self, themes: tuple[Theme, ...], selected: str | None) -> None:
        chosen = next((theme for theme in themes if theme.name == selected), None)
        scheme = color_scheme(selected, chosen.properties if chosen is not None else None)
        self._shared.look = DARK if scheme == "dark" else LIGHT
        for window in self._windows.values():
            window.set_look(self._shared.look)
        self._groups.set_look(self._shared.look)
        self._tabs.set_look(self._shared.look)
        self._own_pages.set_look()
        for choice in self._choices.values():
            choice.set_look(self._shared.look)
        self._toasts.set_look()
        self._programs.set_look()

    def keep_folders(self, folders: tuple[str, ...]) -> None:
        self._shared.kept_folders = folders

    def set_sticky_windows(self, options: Mapping[str, Any]) -> None:
        self._shared.sticky = options

    def bring_to_front(self) -> None:
        for window in self._windows.values():
            if window.frame.isVisible():
                window.frame.bring_to_front()

    def open_window(self, request: WindowRequest) -> Opened:
        if request.instance in self._windows:
            raise Refused(f"the window {request.instance!r} is open already")
        if len(self._windows) >= _MOST_WINDOWS:
            raise Refused(f"{_MOST_WINDOWS} windows are open, and no more can be opened")
        page = self._pending.pop(request.adopts, None)
        if page is not None and page.has_ended:
            page.discard()
            raise Refused("the page was closed before its window was opened")
        return self._open(request, page)

    def close_window(self, instance: str) -> None:
        window = self._windows.get(instance)
        if window is not None:
            window.close()
        elif instance in self._programs.adopted:
            self._programs.adopted[instance].ask_close()

    def act(self, instance: str, action: WindowAction) -> Any:
        return execute(self._window(instance), action)

    def set_channels(self, channels: tuple[ChannelColor, ...]) -> None:
        self._shared.channels = channels
        for window in self._windows.values():
            window.set_channels()
        self._programs.set_channels()

    def set_channel(self, instance: str, channels: tuple[str, ...], access: tuple[ChannelAccess, ...]) -> None:
        window = self._windows.get(instance)
        if window is not None:
            window.set_joined(channels, access)
        else:
            self._programs.set_joined(instance, channels, access)

    def set_hotkeys(self, hotkeys: tuple[str, ...]) -> tuple[str, ...]:
        return self._hotkeys.set(hotkeys)

    def show_window(self, instance: str, bounds: Bounds, focus: bool) -> None:  # noqa: FBT001 - as it travels
        self._window(instance).show(bounds, focus=focus)

    def hide_window(self, instance: str) -> None:
        self._window(instance).hide()

    def set_title(self, instance: str, title: str) -> None:
        window = self._windows.get(instance)
        if window is not None:
            window.set_title(title)

    def move_window(self, instance: str, bounds: Bounds) -> None:
        window = self._framed.get(instance)
        if window is not None:
            window.set_bounds(bounds)
        else:
            self._programs.place_adopted(instance, bounds)

    def show_tabs(self, tabs: TabDrawing) -> None:
        self._tabs.show(tabs)

    def hide_tabs(self, tabs: str) -> None:
        self._tabs.hide(tabs)

    def accept_torn_out(self, instance: str) -> None:
        window = self._framed.get(instance)
        if window is not None:
            window.is_torn_out = False
            self._groups.appeared(instance)

    def show_group(self, group: GroupDrawing) -> None:
        self._groups.show(group)

    def hide_group(self, group: str) -> None:
        self._groups.hide(group)

    def adopt_window(self, instance: str, process: int | None) -> Later:
        if process is None:
            raise Refused(f"the process of the program is not known ({instance})")
        return self._programs.adopt(instance, process)

    def open_native(self, request: WindowRequest) -> bool:  # noqa: ARG002 - the port has it
        return False

    def follow_program(self, instance: str, process: int, bounds: Bounds | None, state: WindowState | None) -> None:
        self._programs.follow(instance, process, bounds, state)

    def forget_program(self, instance: str) -> None:
        self._programs.forget(instance)

    def show_selector(self, instance: str, process: int | None, selector: Selector) -> None:
        if process is not None:
            self._programs.show_selector(instance, process, selector)

    def hide_selector(self, instance: str) -> None:
        self._programs.hide_selector(instance)

    def change_workspaces(self, frame: str, operation: str, arguments: Mapping[str, Any]) -> Later:
        shown = self._workspaces.get(frame)
        if shown is None or operation != "draw":
            raise Refused(f"there is no workspaces frame {frame!r} that can {operation}")
        return shown.draw(arguments)

    def capture_screen(self, screen: str, scale: float) -> str:
        return capture_screen(screen, scale)

    def pointer(self) -> tuple[float, float]:
        place = QCursor.pos()
        return place.x(), place.y()

    def watch_pointer(self, interval: float) -> None:
        self._pointer.watch(interval)

    def set_panel_side(self, side: str) -> None:
        self._own_pages.panel_side = side

    def set_spelling(self, spelling: Spelling | None) -> None:
        self._spelling.set(spelling)

    def show_login(self, screen: LoginScreen) -> None:
        self.hide_login()
        self._login = SignInWindow(screen, self._shared)
        self._login.open()

    def hide_login(self) -> None:
        if self._login is not None:
            self._login.close()
            self._login = None

    def show_splash(self, splash: Splash) -> Later:
        self.hide_splash()
        self._splash = SplashWindow(splash, self._shared.look)
        self._splash.show()
        return self._splash.drawn

    def hide_splash(self) -> None:
        if self._splash is not None:
            self._splash.drawn.resolve()
            self._splash.close()
            self._splash.deleteLater()
            self._splash = None

    def show_loader(self, loader: Loader) -> None:
        self.hide_loader()
        self._loader = LayoutLoader(loader, self._shared.look)
        self._loader.show()

    def hide_loader(self) -> None:
        if self._loader is not None:
            self._loader.close()
            self._loader.deleteLater()
            self._loader = None

    def show_toast(self, toast: Toast) -> None:
        self._toasts.show(toast)

    def hide_toast(self, toast: str) -> None:
        self._toasts.hide(toast)

    def show_tray(self, entries: tuple[TrayEntry, ...]) -> None:
        self._tray.show(entries)

    def show_own(self, page: str) -> None:
        self._own_pages.show(page)

    def hide_own(self, page: str) -> None:
        self._own_pages.hide(page)

    def send_to_pages(self, event: str, data: Mapping[str, Any]) -> None:
        self._own_pages.send(event, data)

    def ask(self, question: str, choices: tuple[str, ...], look: DialogLook | None) -> Later:
        if look is None or not look.url:
            return self._ask_here(question, choices, look)
        answer = Later()
        dialog = DialogPage(question, choices, look, self._shared)
        self._dialogs.append(dialog)

        def answered(choice: Any, problem: str | None) -> None:
            self._dialogs.remove(dialog)
            if problem is None:
                answer.resolve(choice)
                return
            _log.error("dialogs.url: %s; the built-in dialog is shown instead", problem)
            self._ask_here(question, choices, look).then(lambda chosen, _: answer.resolve(chosen))

        dialog.answer.then(answered)
        dialog.open()
        return answer

    def _ask_here(self, question: str, choices: tuple[str, ...], look: DialogLook | None) -> Later:
        dialog = QuestionDialog(question, choices, look, self._shared.look)
        self._dialogs.append(dialog)
        dialog.answer.then(lambda _, __: self._dialogs.remove(dialog))
        dialog.show()
        dialog.activateWindow()
        return dialog.answer

    def choose_app(self, choice: AppChoice) -> Later:
        if choice.request in self._choices:
            raise Refused(f"the question {choice.request!r} is asked already")
        source = self._framed.get(choice.source)
        window = self._choices[choice.request] = ResolverWindow(choice, self._shared.look)
        # Not earlier: an event of the window may be handled while it responds.
        window.destroyed.connect(lambda: self._choices.pop(choice.request, None))
        window.open(None if source is None else source.frame)
        return window.answer

    def hide_choice(self, request: str) -> None:
        if request in self._choices:
            self._choices[request].close()

    def close(self) -> None:
        """Remove everything from the screen."""
        for window in [*self._windows.values()]:
            window.close()
        self._own_pages.close()
        self._shared.pool.close()
        self.hide_login()
        self.hide_splash()
        self.hide_loader()
        self._toasts.close()
        self._tray.close()
        self._hotkeys.close()
        self._pointer.watch(0)
        self._programs.close()
        for dialog in [*self._dialogs, *self._choices.values()]:
            dialog.close()

    def _open(self, request: WindowRequest, page: AppPage | None) -> Opened:
        if request.page is not None:
            self._spelling.begin(request.page.spelling)
        bounds = place_of(request, self._shared.screens, len(self._windows))
        window = AppWindow(request, bounds, self._shared, page)
        self._windows[request.instance] = window
        own, here = window_page(request.kind, request.details), None
        if own is not None and own.name == WORKSPACES:
            here = self._new_workspaces(window).call
        if own is not None:
            self._own_pages.attach(window.page, own.name, request.instance, here)
        # Later, while the page is loading: keys cannot be pressed before.
        QTimer.singleShot(0, window, lambda: PageKeys(window))
        window.closed.connect(lambda: self._gone(request.instance))
        window.page.newWindowRequested.connect(lambda wanted: self._new_window(window, wanted))
        return window.open()

    def _new_workspaces(self, window: AppWindow) -> WorkspaceFrame:
        def send(drawing: Mapping[str, Any]) -> None:
            self._own_pages.send_to(window.instance, "draw", drawing)

        made = self._workspaces[window.instance] = WorkspaceFrame(window, self._framed, send)
        return made

    def _workspaces_at(self, place: QPoint, dragged: Frame) -> str | None:
        """Return the workspaces frame at a position of the desktop, below a dragged window."""
        found = [
            self._windows[name]
            for name in self._workspaces
            if (frame := self._windows[name].frame) is not dragged
            and frame.isVisible()
            and frame.geometry().contains(place)
        ]
        top = max(found, key=lambda one: one.frame.last_active, default=None)
        return None if top is None else top.instance

    def _gone(self, instance: str) -> None:
        shown = self._workspaces.pop(instance, None)
        if shown is not None:
            shown.close()
        window = self._windows.pop(instance, None)
        if window is not None:
            for one in self._workspaces.values():
                one.forget(window)
        if window is not None:
            self._groups.forget(window)
        self._tabs.forget(instance)
        self._apis.detach(instance)
        self._own_pages.detach(instance)
        self._free_memory.window_closed()

    def _program_released(self, instance: str) -> None:
        self._groups.forget(self._programs.adopted[instance])

    def _new_window(self, opener: AppWindow, wanted: QWebEngineNewWindowRequest) -> None:
        """Give a page the window that it opens: empty, because Qt does not wait for the response of the platform.

        The window shows this page only if a frame on an origin of the app has opened it: a frame of another site gets
        no access to a window of the app.
        """
        if len(self._pending) >= _MOST_PENDING:
            return
        page = AppPage(self._profile, self._platform)
        identity = new_id()
        self._pending[identity] = page
        page.hold()
        wanted.openIn(page)
        url, bounds, by_user = (
            wanted.requestedUrl(),
            _asked_bounds(wanted.requestedGeometry()),
            wanted.isUserInitiated(),
        )

        def proven(is_by_app: Any, _: str | None) -> None:
            if not is_by_app:
                drop()
            api = self._apis.of(opener.instance)
            announced = resolved(Announced()) if api is None else api.announced(url)
            announced.then(lambda found, _: ask(found))

        def ask(announced: Announced) -> None:
            asked = WindowRequested(
                opener=opener.instance,
                url=written(url),
                page=identity if identity in self._pending else "",
                name=announced.name,
                bounds=bounds,
                features=announced.features,
                by_user=by_user,
            )
            self._platform.ask(asked, bool).then(lambda *_: drop())

        def drop() -> None:
            """Delete the page that no window shows."""
            waiting = self._pending.pop(identity, None)
            if waiting is not None:
                waiting.discard()

        page.opened_by(opener.page.origins).then(proven)

    def _window(self, instance: str) -> AppWindow:
        window = self._windows.get(instance)
        if window is None:
            raise Refused(f"there is no window {instance!r}")
        return window

    def _window_at(self, place: QPoint) -> str | None:
        """Return the app window at a position of the desktop, if any."""
        widget = QApplication.widgetAt(place)
        shown = {window.pane: name for name, window in self._windows.items()}
        frames = {window.frame: name for name, window in self._windows.items()}
        while widget is not None:
            found = shown.get(widget) or frames.get(widget)
            if found is not None:
                return found
            widget = widget.parentWidget()
        return None

    def _neighbours(self, frame: Frame) -> tuple[Bounds, ...]:
        return tuple(one.bounds for one in self._framed.values() if one.frame is not frame and one.takes_part)

    def _focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        """Handle that another window of a frame got the focus."""
        frame = None if now is None else now.window()
        if isinstance(frame, Frame):
            pane = now
            while pane is not None and not isinstance(pane, Pane):
                pane = pane.parentWidget()
            if pane is not None:
                frame.focus_in(pane)

    def _download_requested(self, request: QWebEngineDownloadRequest) -> None:
        page = request.page()
        for window in self._windows.values():
            if window.page is page or window.page == page:
                window.downloads.accept(request)
                return
        request.cancel()

    def _toast_closed(self, toast: str) -> None:
        self._toasts.hide(toast)
        self._platform.report(ToastClosed(toast=toast))

    def _screens_changed(self) -> None:
        screens = screens_now()
        if not screens or screens == self._shared.screens:
            return
        self._shared.screens = screens
        self.report_screens()
        self._apis.set_monitors(monitors_of(screens))
        for window in self._framed.values():
            # A window that claims an edge is the reason why the work area ends there.
            if not isinstance(window, AppWindow) or window.claimed_edge is None:
                window.set_bounds(back_on_screen(window.bounds, screens))
        self._tray.move()


def _asked_bounds(asked: QRect) -> Bounds | None:
    if asked.width() <= 0 or asked.height() <= 0:
        return None
    return Bounds(asked.x(), asked.y(), asked.width(), asked.height())
