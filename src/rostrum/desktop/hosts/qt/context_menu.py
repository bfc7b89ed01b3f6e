"""The context menu of a page."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWebEngineCore import QWebEngineContextMenuRequest, QWebEnginePage
from PySide6.QtWidgets import QMenu

from rostrum.desktop.hosts.qt.look import menu_style
from rostrum.desktop.hosts.qt.window import AppWindow

_MOST_SUGGESTIONS = 5


def show_context_menu(window: AppWindow, place: QPoint) -> None:
    """Show the actions for a position of the page."""
    request = window.view.lastContextMenuRequest()
    menu = QMenu(window.view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setStyleSheet(menu_style(window.shared.look))
    if request is not None:
        _add_spelling(menu, window.page, request)
        _add_editing(menu, window.page, request)
    action = QWebEnginePage.WebAction
    for title, one in (("Back", action.Back), ("Forward", action.Forward)):
        _add(menu, window.page, title, one)
    menu.addAction("Reload").triggered.connect(lambda: window.ask_reload())
    if window.request.details.get("devToolsEnable") is not False:
        menu.addSeparator()
        menu.addAction("Developer tools").triggered.connect(lambda: window.show_dev_tools())
    menu.popup(window.view.mapToGlobal(place))


def _add_spelling(menu: QMenu, page: QWebEnginePage, request: QWebEngineContextMenuRequest) -> None:
    suggestions = request.spellCheckerSuggestions()[:_MOST_SUGGESTIONS]
    for word in suggestions:
        menu.addAction(word).triggered.connect(lambda _, chosen=word: page.replaceMisspelledWord(chosen))
    if suggestions:
        menu.addSeparator()


def _add_editing(menu: QMenu, page: QWebEnginePage, request: QWebEngineContextMenuRequest) -> None:
    action = QWebEnginePage.WebAction
    wanted = []
    if request.isContentEditable():
        wanted = [("Cut", action.Cut), ("Copy", action.Copy), ("Paste", action.Paste), ("Select all", action.SelectAll)]
    elif request.selectedText():
        wanted = [("Copy", action.Copy)]
    for title, one in wanted:
        _add(menu, page, title, one)
    link = request.linkUrl().toString()
    if link:
        copy = menu.addAction("Copy link address")
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(link))
    if wanted or link:
        menu.addSeparator()


def _add(menu: QMenu, page: QWebEnginePage, title: str, action: QWebEnginePage.WebAction) -> None:
    entry = menu.addAction(title)
    entry.setEnabled(page.action(action).isEnabled())
    entry.triggered.connect(lambda: page.triggerAction(action))
