"""The command line and environment of the window process."""

import os
import sys
from collections.abc import Mapping
from typing import cast

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts import engine_libraries
from rostrum.desktop.hosts.engines import installed_version, missing_engine
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.process import ProcessHost

_NOT_INHERITED = (
    # These arguments weaken the engine's security. The window process sets the ones that it needs itself.
    "QTWEBENGINE_CHROMIUM_FLAGS",
    "QTWEBENGINE_DISABLE_SANDBOX",
    "QTWEBENGINE_REMOTE_DEBUGGING",
)


def window_process() -> WindowHost:
    """Return the host that draws windows in a child process; raise DesktopError if the engine is not installed."""
    if installed_version() is None:
        raise DesktopError(missing_engine())
    try:
        environment = child_environment(os.environ)
    except engine_libraries.UnsafeFolder as error:
        raise DesktopError(str(error)) from error
    command = (sys.executable, "-m", "rostrum.desktop.hosts.qt")
    # The methods of the port are found by name.
    return cast("WindowHost", ProcessHost(command, environment))


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the window process."""
    result = {name: value for name, value in environment.items() if name not in _NOT_INHERITED}
    if sys.platform.startswith("linux"):
        # Wayland does not allow programs to position their windows.
        result.setdefault("QT_QPA_PLATFORM", "xcb")
    return engine_libraries.child_environment(result)
