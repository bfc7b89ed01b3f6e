"""Launcher: how one kind of app is started, and what can be done with it while it runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rostrum.desktop.hosts.port import Bounds
from rostrum.desktop.hosts.reports import WindowState

__all__ = ["Launch", "Launched", "Launcher", "Placement", "Surroundings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where and how the window of an app opens, in place of what its definition says.

    Attributes:
        bounds: Its place; None leaves it to the definition.
        state: Its state; None leaves it to the definition.
        zoom: How large the page is shown; 1 is the usual size.
        hidden: Whether it stays hidden until ``WindowHost.show_window``.

    """

    bounds: Bounds | None = None
    state: WindowState | None = None
    zoom: float = 1
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """An app that is to be started.

    Attributes:
        instance: The id of the new instance.
        load_page: Whether a page is loaded at once; else when its tab is selected.
        opener: The instance whose page has opened it as a further window, if any.
        adopts: The page, already loading, that the window shows (``WindowRequest.adopts``).
        placement: Where and how its window opens.
        ended: Called once when it is gone, with its exit code if it has one.

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
        """Return what only its kind has."""
        details: Mapping[str, Any] = self.definition["details"]
        return details


def _no_token(_: Launch) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What apps are started in.

    Attributes:
        root: Where relative paths start.
        variables: The environment, as configuration has left it.
        gateway: The address apps connect to.
        env: The name of the environment that the platform runs in; empty for none.
        region: The name of its region; empty for none.
        token: Makes the token with which an app that is about to start signs in to the gateway.

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
        """Return the id of its process, if it has one."""
        ...

    async def stop(self) -> None:
        """End it, gently first."""
        ...


class Launcher(Protocol):
    """Starts one kind of app."""

    async def launch(self, launch: Launch) -> Launched:
        """Start an app; raise LaunchFailed or NotOnThisSystem when that is not possible."""
        ...
