"""Runs the window process: receives the engine's settings, starts Qt, then serves the platform."""

import atexit
import logging
import os
import shutil
import socket
import sys
import tempfile
import threading
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtNetwork import QNetworkProxyFactory
from PySide6.QtWidgets import QApplication

from rostrum.desktop.hosts.link import Link, LinkBroken, Reply
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.qt.builtin_pages import register_scheme
from rostrum.desktop.hosts.qt.connection import Connection
from rostrum.desktop.hosts.qt.dispatcher import Dispatcher
from rostrum.desktop.hosts.qt.platform import Platform
from rostrum.desktop.hosts.qt.test_mode import debugging_address, is_test_mode
from rostrum.desktop.hosts.wire import operations
from rostrum.desktop.windows.engine import Engine, is_forbidden_switch

_log = logging.getLogger(__name__)

_CHUNK = 256 * 1024
_END_TIMEOUT = 2.5


def run(sock: socket.socket) -> int:
    """Serve the platform until it closes the connection."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    calls: list[tuple[str, bytes, Reply]] = []
    link = Link(sock.sendall, lambda op, args, reply: calls.append((op, args, reply)))
    if not _wait_for_call(sock, link, calls):
        return 0
    op, args, prepared = calls.pop(0)
    if op != "prepare":
        prepared.error("the first call must be prepare")
        return 1
    (engine,) = operations(WindowHost)["prepare"].decode(args)
    app = _application(engine)
    # Imported late: this loads the browser engine, whose switches and schemes must be set first.
    from rostrum.desktop.hosts.qt.host import QtHost

    host = QtHost(engine, Platform(link))
    dispatcher = Dispatcher(host)
    link.serve = dispatcher.serve

    def ended(reason: str) -> None:
        _log.info("ending: %s", reason)
        # No window may remain, whatever Qt does in the meantime.
        threading.Timer(_END_TIMEOUT, os._exit, (0,)).start()
        host.close()
        app.quit()

    connection = Connection(sock, link, ended)
    host.report_screens()
    prepared.result()
    for waiting in calls:
        dispatcher.serve(*waiting)
    code = app.exec()
    del connection
    # Pages must be deleted before their profile.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    host.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # Not only os._exit: temporary files must be removed. Qt's own shutdown is slow and may fail.
    atexit._run_exitfuncs()  # noqa: SLF001
    os._exit(code)


def _wait_for_call(sock: socket.socket, link: Link, calls: list[tuple[str, bytes, Reply]]) -> bool:
    """Read until the first call arrives; return whether it did."""
    while not calls:
        data = sock.recv(_CHUNK)
        if not data:
            return False
        try:
            link.feed(data)
        except LinkBroken as error:
            _log.error("%s", error)
            return False
    return True


def _application(engine: Engine) -> QApplication:
    register_scheme()
    address = debugging_address()
    if address is not None:
        os.environ["QTWEBENGINE_REMOTE_DEBUGGING"] = address
    os.environ["QTWEBENGINE_DICTIONARIES_PATH"] = str(_dictionaries(engine))
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication(["rostrum-windows", "--webEngineArgs", *_switches(engine)])
    app.setApplicationName("Rostrum")
    # Without a display name: Qt would append it to every title in the taskbar.
    app.setDesktopFileName("rostrum")
    app.setQuitOnLastWindowClosed(False)
    # The switches for proxies only apply then; without such a switch, the system settings apply.
    QNetworkProxyFactory.setUseSystemConfiguration(True)
    return app


def _dictionaries(engine: Engine) -> Path:
    """Return the folder for dictionaries, which must exist when the engine starts."""
    if engine.folder:
        folder = Path(engine.folder) / "dictionaries"
    else:
        folder = Path(tempfile.mkdtemp(prefix="rostrum-dictionaries-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _switches(engine: Engine) -> list[str]:
    # Pages can close their own windows, as on other platforms. By default, the engine does not allow this for a page
    # with a history, and every page has one until the initial empty page is removed.
    result = ["--disable-features=DialMediaRouteProvider", "--blink-settings=allowScriptsToCloseWindows=true"]
    if is_test_mode() and hasattr(os, "geteuid") and os.geteuid() == 0:
        result.append("--no-sandbox")
    if not engine.accelerated:
        result.append("--disable-gpu")
    for name, value in engine.switches:
        word = name.lstrip("-")
        if is_forbidden_switch(name):
            _log.error("the switch %s has no effect: it would weaken the security of pages", word)
            continue
        result.append(f"--{word}" if value is None else f"--{word}={value}")
    return result
