"""Searches a page for a text; a PDF file is searched when its text is available.

The engine reports that a page with a PDF file is loaded before its viewer has read the file, and finds nothing until
then. The viewer responds to messages of the surrounding page when it has read the file, so the search waits for that.
"""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWebEngineCore import QWebEngineFindTextResult, QWebEnginePage, QWebEngineScript

_LOOK_MS = 50
_MOST_LOOKS = 600
"""Half a minute: a file that is not ready then is damaged, needs a password, or is still loading."""
_IS_LOADING = """(() => {
  if (document.contentType !== "application/pdf" || !frames[0]) { return ""; }
  const viewer = globalThis.rostrumPdf ??= { loaded: false, listens: false };
  if (!viewer.listens) {
    viewer.listens = true;
    addEventListener("message", (event) => {
      viewer.loaded ||= event.source === frames[0] && event.data?.type === "getSelectedTextReply";
    });
  }
  if (viewer.loaded) { return ""; }
  frames[0].postMessage({ type: "getSelectedText" }, "*");
  return "loading";
})()"""
_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld.value


def find_text(
    page: QWebEnginePage,
    text: str,
    flags: QWebEnginePage.FindFlag,
    found: Callable[[QWebEngineFindTextResult], None],
    is_wanted: Callable[[], bool] = lambda: True,
) -> None:
    """Search a page when that is possible, and if the search ``is_wanted`` then."""

    def look(left: int) -> None:
        page.runJavaScript(_IS_LOADING, _WORLD, lambda answer: looked(answer, left))

    def looked(answer: object, left: int) -> None:
        if not is_wanted():
            return
        if answer == "loading" and left > 0:
            QTimer.singleShot(_LOOK_MS, page, lambda: look(left - 1))
        else:
            page.findText(text, flags, found)

    look(_MOST_LOOKS)
