"""Errors of the platform.

RostrumError
└── DesktopError
    ├── AlreadyRunning     another instance is running
    ├── NotReachable       a platform is running, but this user's commands cannot connect to it
    ├── StartFailed        a step of the start failed, so the platform stops
    ├── LoginFailed        the sign-in failed
    │   ├── NobodySignedIn no user name and password were given
    │   └── AccountRefused the manager does not accept the user name and password
    ├── NotInThisMode      the effective mode does not support the request
    ├── NotOnThisSystem    the operating system does not support the request
    ├── UnknownApp         no store has an app of that name
    ├── Prevented          an app that intercepts an operation has prevented it
    ├── LaunchFailed       an app could not be started
    └── OperationTimedOut  a workspaces frame did not answer in time
"""

from collections.abc import Iterable
from pathlib import Path

from rostrum.base.errors import RostrumError
from rostrum.settings.scope import Mode
from rostrum.settings.unknown import close_to

_LONGEST_NAME = 200


class DesktopError(RostrumError):
    """An operation that the platform rejects or cannot perform."""


class AlreadyRunning(DesktopError):
    """Another instance is running where only one is allowed.

    Attributes:
        user_data: The user-data folder of that instance, if it is known.
    """

    def __init__(self, message: str, user_data: Path | None = None) -> None:
        """State which instance is running."""
        self.user_data = user_data
        super().__init__(message)


class NotReachable(DesktopError):
    """A platform is running, but this user's commands cannot connect to it."""


class StartFailed(DesktopError):
    """A step of the start failed, so the platform stops.

    Attributes:
        step: The step that failed.

    """

    def __init__(self, step: str, reason: str) -> None:
        self.step = step
        super().__init__(f"{step}: {reason}")


class LoginFailed(DesktopError):
    """The sign-in failed."""


class NobodySignedIn(LoginFailed):
    """No user name and password were given."""


class AccountRefused(LoginFailed):
    """The manager does not accept the user name and password."""


class NotInThisMode(DesktopError):
    """The effective mode does not support the request."""

    def __init__(self, what: str, mode: Mode) -> None:
        other = Mode.ADVANCED if mode is Mode.DEFAULT else Mode.DEFAULT
        super().__init__(f"{what} is not supported in the {mode} mode; it needs the {other} mode")


class NotOnThisSystem(DesktopError):
    """The operating system does not support the request."""


class UnknownApp(DesktopError):
    """No store has an app with this name."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        """Name the app, and the most similar existing one."""
        # The name is untrusted and may be long.
        name = name[:_LONGEST_NAME]
        close = close_to(name, known)
        super().__init__(f"there is no app {name!r}{f'; did you mean {close!r}?' if close else ''}")


class Prevented(DesktopError):
    """An app that intercepts an operation has prevented it."""

    def __init__(self, operation: str, app: str) -> None:
        """Name the operation and the app that prevented it."""
        super().__init__(f"{operation} was prevented by {app}, which intercepts it")


class LaunchFailed(DesktopError):
    """An app could not be started."""


class OperationTimedOut(DesktopError):
    """A workspaces frame did not respond in time.

    Attributes:
        seconds: The time limit.
    """

    def __init__(self, operation: str, seconds: float) -> None:
        self.seconds = seconds
        limit = "windowManagement.workspaces.operationTimeout"
        super().__init__(f"the workspace operation {operation!r} was not done within {seconds:g} s ({limit})")
