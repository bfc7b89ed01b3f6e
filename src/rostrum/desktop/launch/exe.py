"""Apps of type exe: programs of this machine."""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rostrum.base.placeholders import expand
from rostrum.desktop.errors import LaunchFailed, NotOnThisSystem
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import Reports
from rostrum.desktop.launch.launcher import Launch, Launched, Surroundings
from rostrum.desktop.launch.process import find_program, split_arguments, start_process
from rostrum.desktop.launch.window import OpenWindows
from rostrum.desktop.windows.chrome import chrome_of
from rostrum.settings.scope import Mode
from rostrum.settings.settings import Settings

_log = logging.getLogger(__name__)

TOKEN = "ROSTRUM_TOKEN"  # noqa: S105 - the name of the variable
STARTING_CONTEXT = "_GD_STARTING_CONTEXT_"
"""The variable from which client libraries outside a window read how to connect."""
_REASONS = {
    "clickonce": "ClickOnce apps run on Windows only",
    "citrix": "Citrix apps need the Citrix receiver and a desktop with windows, on Windows only",
}


class ExeLauncher:
    """Starts programs with the arguments, environment and folder of their definition."""

    def __init__(self, surroundings: Surroundings, started: Callable[[Launch, int], None] | None = None) -> None:
        """Start programs; ``started`` is called with each running program and its process."""
        self._in = surroundings
        self._started = started

    async def launch(self, launch: Launch) -> Launched:
        """Start a program."""
        details = launch.details
        if details.get("useShellExecute"):
            raise LaunchFailed(f"{launch.definition['name']}: useShellExecute needs a desktop session with windows")
        folder, program = self._place(launch)
        arguments = split_arguments(self._filled(str(details.get("parameters") or ""), launch))
        if details.get("passGlueToken") and details.get("glueTokenArgument"):
            _log.warning("%s: glueTokenArgument is ignored; the token is in %s", launch.definition["name"], TOKEN)
        running = await start_process(
            [find_program(program, folder, self._in.variables), *arguments],
            folder=folder,
            variables=environment(
                self._in,
                launch,
                details.get("env") or {},
                with_token=bool(details.get("passGlueToken")),
                with_starting_context=details.get("startingContextMode", "environment") == "environment",
            ),
            output=self._in.logs / f"{launch.instance}.log" if details.get("logging") else None,
            ended=launch.ended,
        )
        if self._started is not None and running.process is not None:
            self._started(launch, running.process)
        return running

    def _place(self, launch: Launch) -> tuple[Path | None, str]:
        path, command = launch.details.get("path"), launch.details.get("command")
        if not path and not command:
            raise LaunchFailed(f"{launch.definition['name']}: its details name neither a path nor a command")
        if not path:
            return None, self._filled(str(command), launch)
        place = self._in.root / self._filled(str(path), launch)
        if command:
            if not place.is_dir():
                raise LaunchFailed(f"{launch.definition['name']}: there is no folder {place}")
            return place, self._filled(str(command), launch)
        # Definitions converted from directories have the program itself as the path.
        return (place.parent, str(place)) if place.is_file() else (None, str(path))

    def _filled(self, text: str, launch: Launch) -> str:
        expanded = expand(text, self._in.variables)
        if expanded.unknown:
            name = launch.definition["name"]
            raise LaunchFailed(f"{name}: there is no environment variable {expanded.unknown[0]}")
        return expanded.text


def environment(
    surroundings: Surroundings,
    launch: Launch,
    own: Mapping[str, str],
    *,
    with_token: bool,
    with_starting_context: bool = True,
) -> dict[str, str]:
    """Return the environment of an app: that of the platform, its own variables, and connection data.

    The token is in the environment because all users of the machine can read arguments.
    """
    token = surroundings.token(launch) if with_token else ""
    found = {
        "ROSTRUM_GATEWAY": surroundings.gateway,
        "ROSTRUM_INSTANCE": launch.instance,
        "ROSTRUM_APPLICATION": str(launch.definition["name"]),
    }
    if launch.context:
        found["ROSTRUM_CONTEXT"] = json.dumps(dict(launch.context))
    if token and launch.details.get("passGlueToken"):
        found[TOKEN] = token
    if with_starting_context:
        found[STARTING_CONTEXT] = json.dumps(_starting_context(surroundings, launch, token))
    # The platform itself may have been started with a token, which is not for its apps.
    ours = {name: value for name, value in surroundings.variables.items() if name not in (TOKEN, STARTING_CONTEXT)}
    return {**ours, **{name: str(value) for name, value in own.items()}, **found}


def _starting_context(surroundings: Surroundings, launch: Launch, token: str) -> dict[str, Any]:
    optional = {"gwToken": token, "env": surroundings.env, "region": surroundings.region}
    return {
        "applicationConfig": {"name": str(launch.definition["name"])},
        "instanceId": launch.instance,
        "gwURL": surroundings.gateway,
        "context": dict(launch.context),
        **{name: value for name, value in optional.items() if value},
    }


class NativeLauncher:
    """Starts a native app through the windowing system, with its channel selector."""

    def __init__(self, host: WindowHost, reports: Reports, settings: Settings, mode: Mode = Mode.DEFAULT) -> None:
        self._host = host
        self._windows = OpenWindows(host, reports)
        self._settings = settings
        self._mode = mode

    async def launch(self, launch: Launch) -> Launched:
        """Start the app; raise NotOnThisSystem if the system does not support it."""
        kind = str(launch.definition["type"])
        request = WindowRequest(
            instance=launch.instance,
            kind=kind,
            title=launch.title,
            details=launch.details,
            context=launch.context,
            chrome=chrome_of(launch.definition, self._settings, self._mode),
        )
        with self._windows.opening(launch) as opened:
            if not await self._host.open_native(request):
                raise NotOnThisSystem(f"{launch.definition['name']}: {_REASONS[kind.lower()]}")
        return opened
