"""The interface of launchers, and of running apps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rostrum.desktop.hosts.reports import WindowState
from rostrum.desktop.windows.geometry import Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The position and state of an app's window, overriding its definition.

    Attributes:
        bounds: Its bounds; None uses the definition.
        state: Its state; None uses the definition.
        zoom: Zoom factor of the page.
        hidden: Whether it stays hidden until ``WindowHost.show_window``.
    """

    bounds: Bounds | None = None
    state: WindowState | None = None
    zoom: float = 1
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """The start of an app.

    Attributes:
        instance: The id of the new instance.
        load_page: Whether the page is loaded immediately; otherwise when its tab is selected.
        opener: The instance whose page has opened it as a further window, if any.
        adopts: The page, already loading, that the window shows (``WindowRequest.adopts``).
        placement: Position and state of its window.
        ended: Called once when it has ended, with its exit code if it has one.
    """

    instance: str
    definition: Mapping[str, Any]
    title: str
    context: Mapping[str, Any] = field(default_factory=dict)
    load_page: bool = True
    opener: str | None = None
    adopts: str = ""
    placement: Placement = field(default_factory=Placement)
    ended: Callable[[int | None], None] = field(repr=False, default=lambda _: None)

    @property
    def details(self) -> Mapping[str, Any]:
        """Return the details of its type."""
        details: Mapping[str, Any] = self.definition["details"]
        return details


def _no_token(_: Launch) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The environment in which apps are started.

    Attributes:
        root: Base folder of relative paths.
        variables: The environment variables, including those of the configuration.
        gateway: The address for apps.
        env: The name of the environment that the platform runs in; empty for none.
        region: The name of its region; empty for none.
        token: Creates the token with which an app that is about to start signs in to the gateway.
    """

    root: Path
    logs: Path
    variables: Mapping[str, str]
    gateway: str = ""
    env: str = ""
    region: str = ""
    token: Callable[[Launch], str] = field(repr=False, default=_no_token)


class Launched(Protocol):
    """A running app."""

    @property
    def process(self) -> int | None:
        """Return its process id, if it has one."""
        ...

    async def stop(self) -> None:
        """End it, first by request, then forcibly."""
        ...


class Launcher(Protocol):
    """Starts one type of app."""

    async def launch(self, launch: Launch) -> Launched:
        """Start an app; raise LaunchFailed or NotOnThisSystem if that is not possible."""
        ...
