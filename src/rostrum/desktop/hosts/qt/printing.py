"""Printing a page to a printer of the system."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWebEngineCore import QWebEngineSettings

from rostrum.desktop.hosts.qt.dispatcher import Refused
from rostrum.desktop.hosts.qt.later import Later
from rostrum.desktop.hosts.qt.test_mode import print_file
from rostrum.desktop.hosts.qt.window import AppWindow

_UNSUPPORTED = ("header", "footer", "margins", "pagesPerSheet", "scaleFactor")
_DUPLEX = {
    "simplex": QPrinter.DuplexMode.DuplexNone,
    "longEdge": QPrinter.DuplexMode.DuplexLongSide,
    "shortEdge": QPrinter.DuplexMode.DuplexShortSide,
}
_MOST_COPIES = 999
_MOST_DPI = 600
"""The engine draws each sheet as a picture, which takes 0.5 GB of memory for A4 at 1200 dpi."""
_MOST_PAGES = 100_000


def print_page(window: AppWindow, options: Mapping[str, Any]) -> Later:
    """Print the page of a window; unless ``silent`` is true, the user chooses the printer in the system's dialog."""
    for name in _UNSUPPORTED:
        if options.get(name) is not None:
            raise Refused(f"{name} is not supported when a page is printed")
    printer = _printer(options)
    _set_up(printer, options)
    later = Later()
    if options.get("silent") is True:
        _start(window, printer, options, later)
        return later
    dialog = QPrintDialog(printer, window.frame)
    dialog.accepted.connect(lambda: _start(window, printer, options, later))
    dialog.rejected.connect(lambda: later.fail("the user cancelled printing"))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return later


def _printer(options: Mapping[str, Any]) -> QPrinter:
    path = print_file()
    if path is not None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(path)
        return printer
    names = QPrinterInfo.availablePrinterNames()
    if not names:
        raise Refused("the system has no printer; print to PDF instead")
    name = options.get("deviceName") or QPrinterInfo.defaultPrinterName() or names[0]
    if name not in names:
        raise Refused(f"the system has no printer {str(name)[:100]!r}; it has {', '.join(names[:20])}")
    return QPrinter(QPrinterInfo.printerInfo(str(name)), QPrinter.PrinterMode.HighResolution)


def _set_up(printer: QPrinter, options: Mapping[str, Any]) -> None:
    copies = options.get("copies", 1)
    if isinstance(copies, bool) or not isinstance(copies, int) or not 1 <= copies <= _MOST_COPIES:
        raise Refused(f"copies must be a number from 1 to {_MOST_COPIES}")
    printer.setResolution(min(printer.resolution(), _MOST_DPI))
    printer.setCopyCount(copies)
    printer.setCollateCopies(options.get("collate") is not False)
    printer.setDuplex(_DUPLEX.get(str(options.get("duplexMode")), QPrinter.DuplexMode.DuplexNone))
    if options.get("color") is False:
        printer.setColorMode(QPrinter.ColorMode.GrayScale)
    landscape = options.get("landscape") is True
    printer.setPageOrientation(QPageLayout.Orientation.Landscape if landscape else QPageLayout.Orientation.Portrait)
    size = getattr(QPageSize.PageSizeId, str(options.get("pageSize") or "A4"), None)
    if not isinstance(size, QPageSize.PageSizeId):
        raise Refused("pageSize must be the name of a paper size, such as A4 or Letter")
    printer.setPageSize(QPageSize(size))
    _set_range(printer, options.get("pageRanges"))


def _set_range(printer: QPrinter, ranges: Any) -> None:
    """Set one range of pages; callers count from 0."""
    if not ranges:
        return
    only = ranges[0] if isinstance(ranges, list) and len(ranges) == 1 else None
    first, last = (only.get("from"), only.get("to")) if isinstance(only, Mapping) else (None, None)
    if not isinstance(first, int) or not isinstance(last, int) or not 0 <= first <= last < _MOST_PAGES:
        raise Refused("pageRanges must have one range, with from and to")
    printer.setFromTo(first + 1, last + 1)


def _start(window: AppWindow, printer: QPrinter, options: Mapping[str, Any], later: Later) -> None:
    attribute = QWebEngineSettings.WebAttribute.PrintElementBackgrounds
    window.page.settings().setAttribute(attribute, options.get("printBackground") is True)

    def finished(succeeded: bool) -> None:  # noqa: FBT001 - a signal of Qt
        window.view.printFinished.disconnect(finished)
        # The printer object must exist until here.
        name = printer.printerName() or printer.outputFileName()
        if succeeded:
            later.resolve()
        else:
            later.fail(f"the page could not be printed on {name}")

    window.view.printFinished.connect(finished)
    window.view.print(printer)
