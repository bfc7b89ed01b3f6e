"""Launcher: how one kind of app is started, and what can be done with it while it runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

__all__ = ["Launch", "Launched", "Launcher", "Surroundings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """An app that is to be started.

    Attributes:
        instance: The id of the new instance.
        load_page: Whether a page is loaded at once; else when its tab is selected.
        opener: The instance whose page has opened it as a further window, if any.
        adopts: The page, already loading, that the window shows (``WindowRequest.adopts``).
        ended: Called once when it is gone, with its exit code if it has one.

    """

    instance: str
    definition: Mapping[str, Any]
    title: str
    context: Mapping[str, Any] = field(default_factory=dict)
    load_page: bool = True
    opener: str | None = None
    adopts: str = ""
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
        token: Makes the token with which an app that is about to start signs in to the gateway.

    """

    root: Path
    logs: Path
    variables: Mapping[str, str]
    gateway: str = ""
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
