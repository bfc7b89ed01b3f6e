"""The contents of one window: its caption bar, its page, and covers and bars of the page.

A pane keeps its page, including the document and its process, when it moves to another frame.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rostrum.desktop.hosts.qt.caption import HEIGHT, CaptionBar
from rostrum.desktop.hosts.qt.covers import LoaderCover, MessageCover
from rostrum.desktop.hosts.qt.look import Look

BORDER = 4
"""Width of the border of a resizable window."""


class Holder(Protocol):
    """The frame that contains a pane."""

    def begin_move(self, pointer: QPoint, pane: "Pane | None" = None) -> None:
        """Start to move the frame, or the pane by which it is dragged."""
        ...

    def drag_to(self, pointer: QPoint, *, alt: bool = False) -> None:
        """Follow the pointer."""
        ...

    def end_drag(self, *, alt: bool = False) -> None:
        """End the drag."""
        ...


class PaneLink(Protocol):
    """Reports about the frame that contains a pane."""

    def detach(self) -> None:
        """Stop reporting changes of the frame."""
        ...

    def report_visible(self, *, visible: bool) -> None:
        """Report whether the window is on the screen."""
        ...

    def move_to(self, frame: Any) -> None:
        """Report changes of another frame, which now contains the pane."""
        ...


class Pane(QWidget):
    """One page, the caption bar above it, and what covers it.

    Attributes:
        caption: The caption bar; None for windows without one.
        holder: The frame that contains the pane.
        has_native_focus: Whether an embedded window of a program has the keyboard focus, which Qt does not detect.
        border: Width of the border by which the pane is resized; ``color`` is its colour.
        title: The taskbar title of a frame with this pane alone; ``icon`` likewise.
        link: Reports about the frame.
        carry: Called with True before the pane moves to another frame, and with False afterwards.
        on_top: Whether the window stays above others while it is in no group; ``on_top_grouped`` also in a group.
        locked: Whether users cannot move and resize the window.
        smallest: Minimum width and height of the window; ``largest`` likewise, None for no limit.
    """

    def __init__(self, view: QWidget, look: Look) -> None:
        super().__init__()
        self.has_native_focus = False
        self.caption: CaptionBar | None = None
        self.holder: Holder | None = None
        self.link: PaneLink | None = None
        self.carry: Callable[[bool], None] = lambda _: None
        self.on_top = False
        self.on_top_grouped = False
        self.locked = False
        self.border = 0
        self.color = look.border
        self.title = ""
        self.icon = QIcon()
        self.smallest: tuple[int, int] = (1, 1)
        self.largest: tuple[int | None, int | None] = (None, None)
        self._look = look
        self._cover: QWidget | None = None
        self._is_lent = False
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(view, 1)
        self.setFocusProxy(view)

    def add_caption(self) -> CaptionBar:
        """Show a caption bar above the page, by which the pane is moved."""
        self.caption = CaptionBar(self, self, self._look)
        self._box.insertWidget(0, self.caption)
        return self.caption

    def lend_caption(self) -> None:
        """Move the caption bar beside the tabs, without the title, which is on a tab."""
        if self.caption is not None and not self._is_lent:
            self._is_lent = True
            self._box.removeWidget(self.caption)
            self.caption.set_compact(compact=True)

    def return_caption(self) -> None:
        """Show the caption bar above the page again."""
        if self.caption is not None and self._is_lent:
            self._is_lent = False
            self._box.insertWidget(0, self.caption)
            self.caption.set_compact(compact=False)
            self.caption.show()

    def set_bare(self, *, bare: bool) -> None:
        """Hide the caption bar, because a page draws it; or show it again."""
        if self.caption is not None:
            # It keeps its place without a height: the tabs of the window also show and hide it.
            self.caption.setFixedHeight(0 if bare else HEIGHT)
            self.caption.setEnabled(not bare)

    def set_look(self, look: Look) -> None:
        """Set the colours of the caption bar and of later covers."""
        self._look = look
        if self.caption is not None:
            self.caption.set_look(look)

    def begin_move(self, pointer: QPoint) -> None:
        """Start to move the window."""
        if self.holder is not None:
            self.holder.begin_move(pointer, self)

    def drag_to(self, pointer: QPoint, *, alt: bool = False) -> None:
        if self.holder is not None:
            self.holder.drag_to(pointer, alt=alt)

    def end_drag(self, *, alt: bool = False) -> None:
        if self.holder is not None:
            self.holder.end_drag(alt=alt)

    def show_loader(self, options: Mapping[str, Any]) -> None:
        """Cover the page with a loading animation."""
        self._set_cover(LoaderCover(options, self._look))

    def hide_loader(self) -> None:
        """Remove the loading animation; a message stays."""
        if isinstance(self._cover, LoaderCover):
            self._set_cover(None)

    def show_message(self, text: str, choices: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Cover the page with a message and buttons; the first button has the focus."""
        cover = MessageCover(text, choices, self._look)
        self._set_cover(cover)
        cover.setFocus()

    def hide_message(self) -> None:
        """Remove the message."""
        if isinstance(self._cover, MessageCover):
            self._set_cover(None)

    def add_bar(self, bar: QWidget) -> None:
        """Show a bar below the page."""
        self._box.addWidget(bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._cover is not None:
            self._cover.setGeometry(self._covered())

    def _covered(self) -> QRect:
        above = 0 if self.caption is None or self._is_lent else self.caption.height()
        return self.rect().adjusted(0, above, 0, 0)

    def _set_cover(self, cover: QWidget | None) -> None:
        if self._cover is not None:
            self._cover.hide()
            self._cover.deleteLater()
        self._cover = cover
        if cover is not None:
            cover.setParent(self)
            cover.setGeometry(self._covered())
            cover.show()
            cover.raise_()
