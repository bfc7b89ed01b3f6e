"""The open windows of the desktop, as reported by the window host."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rostrum.base.addresses import without_credentials
from rostrum.base.shown_text import shown_text
from rostrum.base.signal import Signal
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.actions import FrameButton, SetSizeLimits
from rostrum.desktop.hosts.port import Opened, WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import (
    ButtonClicked,
    DocumentTitled,
    Focused,
    FrameLocked,
    IconChanged,
    LoadFailed,
    LoadFinished,
    Moved,
    Navigated,
    Reports,
    StateChanged,
    VisibilityChanged,
    WindowClosed,
    WindowState,
    Zoomed,
)
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.windows.docking import Docked
from rostrum.desktop.windows.geometry import Bounds

_MODES = ("flat", "tab", "html", "frameless")
_MOST_SHOWN = 100
STANDARD_BUTTONS: Mapping[str, bool] = {
    "allowClose": True,
    "allowCollapse": False,
    "allowLockUnlock": False,
    "allowMaximize": True,
    "allowMinimize": True,
}
"""The buttons of a caption bar, and whether a window has each by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRecord:
    """One open window.

    Attributes:
        id: The id of the window, which is also the id of its instance.
        app: The app whose page it shows; empty for a page that belongs to no app.
        name: The name given by its opener.
        mode: flat, tab, html or frameless.
        state: normal, minimized or maximized; a collapsed window is normal.
        expanded_height: The expanded height of a collapsed window; None for others.
        on_top: Whether it stays above other windows; ``always`` even if it is grouped.
        zoom: Zoom factor of the page.
        limits: Minimum and maximum size.
        standard_buttons: The standard buttons of the caption bar, by the names of app definitions.
        buttons: The buttons that apps have added to the caption bar.
        docking: Its docking state; None if it is not docked.
        opener: The window that has opened it, if any.
        parent: The window that it is closed with, if any.
        loads: Number of loads, including failed ones.
        load_error: Why the last page could not be loaded; empty if it was.
        details: The details of its definition.
    """

    id: str
    app: str = ""
    name: str = ""
    kind: str = "window"
    url: str = ""
    title: str = ""
    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    bounds: Bounds = field(default_factory=lambda: Bounds(0, 0, 0, 0))
    mode: str = "flat"
    state: Literal["normal", "minimized", "maximized"] = "normal"
    collapsed: bool = False
    expanded_height: float | None = None
    visible: bool = True
    focused: bool = False
    locked: bool = False
    on_top: bool | Literal["always"] = False
    zoom: float = 1
    limits: SetSizeLimits = field(default_factory=SetSizeLimits)
    standard_buttons: Mapping[str, bool] = field(default_factory=lambda: STANDARD_BUTTONS)
    buttons: tuple[FrameButton, ...] = ()
    frame_color: str = ""
    icon: str = field(default="", repr=False)
    tab_tooltip: str = ""
    allow_workspace_drop: bool = True
    placement: Mapping[str, Any] = field(default_factory=dict, repr=False)
    docking: Docked | None = None
    opener: str | None = None
    parent: str | None = None
    loads: int = 0
    load_error: str = ""
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class WindowChange:
    """A window before and after a change."""

    before: WindowRecord
    after: WindowRecord


@dataclass(frozen=True, slots=True)
class ClickedButton:
    """A clicked button that an app has added to the caption bar."""

    window: str
    button: FrameButton


class WindowRegistry:
    """Tracks all open windows of apps. Windows are opened through it; changes are known from reports.

    Attributes:
        opened: Emitted with each window that was opened.
        changed: Emitted with each change of a window.
        closed: Emitted with each closed window, in its last state.
        clicked: Emitted with each click on a button that an app has added.
    """

    def __init__(self, host: WindowHost, reports: Reports) -> None:
        """Listen to the reports of the window host."""
        self.opened: Signal[WindowRecord] = Signal()
        self.changed: Signal[WindowChange] = Signal()
        self.closed: Signal[WindowRecord] = Signal()
        self.clicked: Signal[ClickedButton] = Signal()
        self._host = host
        self._opening: dict[str, WindowRecord] = {}
        self._windows: dict[str, WindowRecord] = {}
        self._stacked: list[str] = []
        reports.listen(Moved, lambda told: self.update(told.instance, bounds=told.bounds))
        reports.listen(StateChanged, self._state_changed)
        reports.listen(Focused, self._focused)
        reports.listen(VisibilityChanged, self._visibility_changed)
        reports.listen(Navigated, lambda told: self.update(told.instance, url=without_credentials(told.url)))
        reports.listen(LoadFinished, lambda told: self._loaded(told.instance, ""))
        reports.listen(LoadFailed, lambda told: self._loaded(told.instance, told.reason or "unknown reason"))
        reports.listen(Zoomed, lambda told: self.update(told.instance, zoom=told.factor))
        reports.listen(FrameLocked, lambda told: self.update(told.instance, locked=told.locked))
        reports.listen(IconChanged, self._icon_changed)
        reports.listen(DocumentTitled, self._document_titled)
        reports.listen(ButtonClicked, self._clicked)
        reports.listen(WindowClosed, lambda told: self._gone(told.instance))

    @property
    def all(self) -> tuple[WindowRecord, ...]:
        """Return every open window, oldest first."""
        return tuple(self._windows.values())

    @property
    def stacked(self) -> tuple[str, ...]:
        """Return the ids of the open windows; the one that was last opened, shown or focused is last."""
        return tuple(self._stacked)

    def get(self, window: str) -> WindowRecord | None:
        """Return an open window."""
        return self._windows.get(window)

    def find(self, window: str) -> WindowRecord:
        """Return an open window; raise DesktopError if there is none with this id."""
        found = self._windows.get(window)
        if found is None:
            raise no_such_window(window)
        return found

    async def open(self, request: WindowRequest) -> Opened:
        """Open a window through the host, and track it before it is shown."""
        self._opening[request.instance] = _record(request)
        try:
            opened = await self._host.open_window(request)
        except BaseException:
            self._opening.pop(request.instance, None)
            raise
        # The page may have closed the window immediately.
        record = self._opening.pop(request.instance, None)
        if record is not None:
            height = (request.bounds or opened.bounds).height
            record = replace(record, bounds=opened.bounds, **_state(opened.state, height))
            self._windows[record.id] = record
            self._stacked.append(record.id)
            self.opened.emit(record)
        return opened

    def follow(self, instances: Instances) -> None:
        """Show the titles and contexts of running apps in the records of their windows."""
        instances.retitled.connect(lambda one: self.update(one.id, title=one.title))
        instances.context_changed.connect(lambda one: self.update(one.id, context=one.context))

    def update(self, window: str, **changes: Any) -> None:
        """Update the record of a window, if it is open."""
        if window in self._opening:
            self._opening[window] = replace(self._opening[window], **changes)
            return
        before = self._windows.get(window)
        if before is None:
            return
        after = replace(before, **changes)
        if after != before:
            self._windows[window] = after
            self.changed.emit(WindowChange(before, after))

    async def until(self, window: str, condition: Callable[[WindowRecord], bool], seconds: float) -> bool:
        """Wait until a window meets a condition; return False after a time limit, or if it is closed."""
        news = asyncio.Event()
        disconnect = [signal.connect(lambda _: news.set()) for signal in (self.changed, self.closed)]
        try:
            async with asyncio.timeout(seconds):
                while (record := self._windows.get(window)) is not None:
                    if condition(record):
                        return True
                    await news.wait()
                    news.clear()
        except TimeoutError:
            pass
        finally:
            for each in disconnect:
                each()
        return False

    def _focused(self, told: Focused) -> None:
        if told.focused:
            self._raise(told.instance)
            # One window has the keyboard focus; systems report its loss earlier, later or not at all.
            for other in [one.id for one in self._windows.values() if one.focused and one.id != told.instance]:
                self.update(other, focused=False)
        self.update(told.instance, focused=told.focused)

    def _visibility_changed(self, told: VisibilityChanged) -> None:
        if told.visible:
            self._raise(told.instance)
        self.update(told.instance, visible=told.visible)

    def _raise(self, window: str) -> None:
        if window in self._windows:
            self._stacked.remove(window)
            self._stacked.append(window)

    def _state_changed(self, told: StateChanged) -> None:
        record = self._opening.get(told.instance) or self._windows.get(told.instance)
        if record is not None:
            height = record.expanded_height or record.bounds.height
            self.update(told.instance, **_state(told.state, height))

    def _loaded(self, window: str, error: str) -> None:
        record = self._opening.get(window) or self._windows.get(window)
        if record is not None:
            self.update(window, loads=record.loads + 1, load_error=error)

    def _icon_changed(self, told: IconChanged) -> None:
        record = self._opening.get(told.instance) or self._windows.get(told.instance)
        if record is not None and not record.details.get("icon"):
            self.update(told.instance, icon=told.address)

    def _document_titled(self, told: DocumentTitled) -> None:
        # Titles of apps have their own rules, and are set by the instances.
        record = self._opening.get(told.instance) or self._windows.get(told.instance)
        if record is not None and not record.app and told.title:
            self.update(told.instance, title=shown_text(told.title))

    def _clicked(self, told: ButtonClicked) -> None:
        record = self._windows.get(told.instance)
        for button in record.buttons if record else ():
            if button.id == told.button:
                self.clicked.emit(ClickedButton(told.instance, button))

    def _gone(self, window: str) -> None:
        self._opening.pop(window, None)
        record = self._windows.pop(window, None)
        if record is not None:
            self._stacked.remove(window)
            self.closed.emit(record)


def no_such_window(window: str) -> DesktopError:
    """Return the error for a window that is not open."""
    return DesktopError(f"There is no window {window[:_MOST_SHOWN]!r}.")


def _state(state: WindowState, height: float) -> dict[str, Any]:
    collapsed = state == "collapsed"
    return {
        "state": "normal" if collapsed else state,
        "collapsed": collapsed,
        "expanded_height": height if collapsed else None,
    }


def _record(request: WindowRequest) -> WindowRecord:
    details = request.details
    mode = str(details.get("mode") or "flat").lower()
    on_top = details.get("onTop")
    sizes = {name: details.get(name) for name in ("minWidth", "minHeight", "maxWidth", "maxHeight")}
    return WindowRecord(
        id=request.instance,
        app=request.app,
        name=request.name,
        kind=request.kind,
        url=without_credentials(str(details.get("url") or "")),
        title=request.title,
        context=request.context,
        mode=mode if mode in _MODES else "flat",
        visible=not request.hidden,
        on_top=on_top if on_top == "always" else on_top is True,
        zoom=request.zoom,
        limits=SetSizeLimits(
            min_width=_size(sizes["minWidth"]),
            min_height=_size(sizes["minHeight"]),
            max_width=_size(sizes["maxWidth"]),
            max_height=_size(sizes["maxHeight"]),
        ),
        standard_buttons={name: details.get(name, usual) is True for name, usual in STANDARD_BUTTONS.items()},
        frame_color=str(details.get("frameColor") or ""),
        icon=str(details.get("icon") or ""),
        tab_tooltip=shown_text(str(details.get("tabTooltip") or details.get("tabToolTip") or "")),
        allow_workspace_drop=details.get("allowWorkspaceDrop") is not False,
        opener=request.opener,
        parent=request.parent,
        details=details,
    )


def _size(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
