"""Actions on open windows: one function for each action of the port."""

import base64
import json
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtWebEngineCore import QWebEnginePage

from rostrum.desktop.hosts import actions
from rostrum.desktop.hosts.qt.dispatcher import Refused
from rostrum.desktop.hosts.qt.find_text import find_text
from rostrum.desktop.hosts.qt.later import Later, resolved
from rostrum.desktop.hosts.qt.window import AppWindow
from rostrum.desktop.windows.download_folders import safe_name
from rostrum.desktop.windows.geometry import Bounds, screen_of

_WRAPPED = """(() => {{
  try {{ return JSON.stringify({{ value: {code} }}); }}
  catch (error) {{ return JSON.stringify({{ error: String(error), forbidden: error instanceof EvalError }}); }}
}})()"""


def run_script(page: QWebEnginePage, code: str) -> Later:
    """Run code in the main world of a page; fail with the message of its exception."""
    later = Later()
    function = f"(() => {{\n{code}\n}})()"
    forms = [f"(\n{code}\n)", f"(0, eval)({json.dumps(code)})", function]
    _try(page, forms, later)
    return later


def _try(page: QWebEnginePage, forms: list[str], later: Later) -> None:
    form, *others = forms

    def finished(text: object) -> None:
        # Code that cannot be parsed returns nothing, and none of it has run.
        answer = json.loads(text) if isinstance(text, str) and text else {"error": "the code cannot be parsed"}
        if "error" not in answer:
            later.resolve(answer.get("value"))
        elif others and (not text or answer.get("forbidden")):
            _try(page, others, later)
        else:
            later.fail(str(answer["error"]))

    page.runJavaScript(_WRAPPED.format(code=form), 0, finished)


def execute(window: AppWindow, action: actions.WindowAction) -> Any:
    """Perform an action on a window; return its result, or Later if it is not available yet."""
    does = _ACTIONS.get(type(action))
    if does is None:
        raise Refused(f"{type(action).__name__} is not supported")
    return does(window, action)


def _state(window: AppWindow, action: actions.SetState) -> None:
    details = window.request.details
    forbidden = {"maximized": "maximizable", "minimized": "minimizable"}.get(action.state)
    if forbidden is not None and details.get(forbidden) is False:
        raise Refused(f"the definition of the app says that it is not {forbidden}")
    window.set_state(action.state)


def _focus(window: AppWindow, _: actions.Focus) -> None:
    window.focus()


def _center(window: AppWindow, _: actions.Center) -> None:
    bounds = window.bounds
    area = screen_of(bounds, window.shared.screens).work_area
    left = area.left + (area.width - bounds.width) // 2
    window.set_bounds(Bounds(left, area.top + (area.height - bounds.height) // 2, bounds.width, bounds.height))


def _on_top(window: AppWindow, action: actions.SetOnTop) -> None:
    window.set_on_top(on_top=action.on_top, in_groups=action.in_groups)


def _opacity(window: AppWindow, action: actions.SetOpacity) -> None:
    window.frame.setWindowOpacity(min(max(action.opacity, 0.0), 1.0))


def _limits(window: AppWindow, action: actions.SetSizeLimits) -> None:
    window.set_limits(action)


def _locked(window: AppWindow, action: actions.SetLocked) -> None:
    window.pane.locked = action.locked


def _claim_edge(window: AppWindow, action: actions.ClaimEdge) -> None:
    window.claimed_edge = action.side
    window.shared.claim_edge(window.frame, action.side)


def _icon(window: AppWindow, action: actions.SetIcon) -> None:
    window.set_icon(action.data)


def _frame_color(window: AppWindow, action: actions.SetFrameColor) -> None:
    window.set_frame_color(action.color)


def _buttons(window: AppWindow, action: actions.SetButtons) -> None:
    window.set_buttons(action.buttons)


def _standard_buttons(window: AppWindow, action: actions.SetStandardButtons) -> None:
    if window.caption is not None:
        details = window.request.details
        window.caption.set_buttons(
            minimize=action.minimize and details.get("minimizable") is not False,
            maximize=action.maximize and details.get("maximizable") is not False,
            close=action.close,
        )


def _tooltip(window: AppWindow, action: actions.SetTabTooltip) -> None:
    window.set_tab_tooltip(action.text)


def _flash(window: AppWindow, action: actions.Flash) -> None:
    tabs = window.shared.tab_place(window.cell) if action.tab else None
    if tabs is None or not tabs.flash(window.instance, on=action.flash):
        window.frame.flash(on=action.flash)


def _start_drag(window: AppWindow, _: actions.StartDrag) -> None:
    window.frame.start_system_move()


def _zoom(window: AppWindow, action: actions.SetZoom) -> None:
    window.set_zoom(action.factor)


def _navigate(window: AppWindow, action: actions.Navigate) -> None:
    window.page.open(action.url, action.options)


def _reload(window: AppWindow, action: actions.Reload) -> None:
    window.reload(ignore_cache=action.ignore_cache)


def _ask_handlers(window: AppWindow, action: actions.AskHandlers) -> Later:
    return window.shared.apis.may_happen(action.event, window.instance, action.details)


def _history(step: QWebEnginePage.WebAction, window: AppWindow, _: object) -> None:
    window.page.triggerAction(step)


def _run_script(window: AppWindow, action: actions.RunScript) -> Later:
    return run_script(window.page, action.code)


def _find(window: AppWindow, action: actions.Find) -> Later:
    later = Later()
    flags = QWebEnginePage.FindFlag(0)
    if action.backwards:
        flags |= QWebEnginePage.FindFlag.FindBackward
    if action.match_case:
        flags |= QWebEnginePage.FindFlag.FindCaseSensitively
    if not action.text:
        window.page.findText("")
        return resolved({"matches": 0})
    find_text(window.page, action.text, flags, lambda found: later.resolve({"matches": found.numberOfMatches()}))
    return later


def _capture(window: AppWindow, action: actions.Capture) -> str:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    is_part = window.frame.group is not None and not action.group
    (window.cell if is_part else window.frame).grab().save(buffer, "PNG")
    return base64.b64encode(bytes(buffer.data().data())).decode()


def _print_to_pdf(window: AppWindow, action: actions.PrintToPdf) -> Later:
    later = Later()
    path = _pdf_path(window, action.options)

    def finished(data: Any) -> None:
        content = bytes(data.data()) if hasattr(data, "data") else bytes(data)
        if not content:
            later.fail("the page could not be printed to PDF")
            return
        try:
            path.write_bytes(content)
        except OSError as error:
            later.fail(f"{path} cannot be written: {error}")
        else:
            later.resolve(str(path))

    window.page.printToPdf(finished, _page_layout(action.options))
    return later


def _pdf_path(window: AppWindow, options: Mapping[str, Any]) -> Path:
    written = options.get("filePath")
    if isinstance(written, str) and written:
        path = Path(written).expanduser()
        if not path.is_absolute() or path.suffix.lower() != ".pdf":
            raise Refused("filePath must be an absolute path that ends with .pdf")
        return path
    # The name of an app may contain folders.
    prefix = f"{safe_name(window.request.app or 'page')}-"
    with tempfile.NamedTemporaryFile(prefix=prefix, suffix=".pdf", delete=False) as file:
        return Path(file.name)


def _page_layout(options: Mapping[str, Any]) -> QPageLayout:
    name = str(options.get("pageSize") or "A4")
    size = getattr(QPageSize.PageSizeId, name, QPageSize.PageSizeId.A4)
    landscape = options.get("landscape") is True
    orientation = QPageLayout.Orientation.Landscape if landscape else QPageLayout.Orientation.Portrait
    return QPageLayout(QPageSize(size), orientation, QMarginsF(10, 10, 10, 10), QPageLayout.Unit.Millimeter)


def _download(window: AppWindow, action: actions.Download) -> Later:
    return window.downloads.start(action.url, action.options)


def _dev_tools(window: AppWindow, _: actions.ShowDevTools) -> None:
    if window.request.details.get("devToolsEnable") is False:
        raise Refused("devToolsEnable of the app definition is false")
    window.show_dev_tools()


def _show_loader(window: AppWindow, action: actions.ShowLoader) -> None:
    window.pane.show_loader(action.options)


def _hide_loader(window: AppWindow, _: actions.HideLoader) -> None:
    window.pane.hide_loader()


def _modal(window: AppWindow, action: actions.SetModal) -> None:
    window.frame.set_modal(modal=action.modal)


def _clear_cache(window: AppWindow, action: actions.ClearCache) -> None:
    if action.what != "hosts":
        window.page.profile().clearHttpCache()


def _get_cookies(window: AppWindow, action: actions.GetCookies) -> list[Mapping[str, Any]]:
    return window.shared.cookies.matching(action.filter)


def _set_cookie(window: AppWindow, action: actions.SetCookie) -> None:
    window.shared.cookies.set(action.cookie)


def _remove_cookie(window: AppWindow, action: actions.RemoveCookie) -> None:
    window.shared.cookies.remove(action.url, action.name)


def _print(window: AppWindow, action: actions.PrintPage) -> Later:
    # Imported when needed: few pages are printed.
    from rostrum.desktop.hosts.qt.printing import print_page

    written = window.request.details.get("print")
    return print_page(window, {**(written if isinstance(written, Mapping) else {}), **action.options})


_ACTIONS: Mapping[type[Any], Callable[[AppWindow, Any], Any]] = {
    actions.AskHandlers: _ask_handlers,
    actions.SetState: _state,
    actions.Focus: _focus,
    actions.Center: _center,
    actions.SetOnTop: _on_top,
    actions.SetOpacity: _opacity,
    actions.SetSizeLimits: _limits,
    actions.SetModal: _modal,
    actions.SetLocked: _locked,
    actions.ClaimEdge: _claim_edge,
    actions.SetIcon: _icon,
    actions.SetFrameColor: _frame_color,
    actions.SetButtons: _buttons,
    actions.SetStandardButtons: _standard_buttons,
    actions.SetTabTooltip: _tooltip,
    actions.Flash: _flash,
    actions.StartDrag: _start_drag,
    actions.SetZoom: _zoom,
    actions.Navigate: _navigate,
    actions.Reload: _reload,
    actions.GoBack: partial(_history, QWebEnginePage.WebAction.Back),
    actions.GoForward: partial(_history, QWebEnginePage.WebAction.Forward),
    actions.RunScript: _run_script,
    actions.Find: _find,
    actions.Capture: _capture,
    actions.PrintToPdf: _print_to_pdf,
    actions.PrintPage: _print,
    actions.Download: _download,
    actions.ShowDevTools: _dev_tools,
    actions.ShowLoader: _show_loader,
    actions.HideLoader: _hide_loader,
    actions.GetCookies: _get_cookies,
    actions.SetCookie: _set_cookie,
    actions.RemoveCookie: _remove_cookie,
    actions.ClearCache: _clear_cache,
}
