"""Apps of type node: Node.js scripts."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rostrum.base.placeholders import expand
from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.launch.exe import environment
from rostrum.desktop.launch.launcher import Launch, Launched, Surroundings
from rostrum.desktop.launch.node_version import fitting_node
from rostrum.desktop.launch.process import split_arguments, start_process
from rostrum.desktop.launch.remote_script import RemoteScript, RemoteScripts

_OPTIONS = "--dns-result-order=ipv4first"


class NodeLauncher:
    """Starts scripts with the Node.js of this machine."""

    def __init__(
        self,
        surroundings: Surroundings,
        scripts: Path,
        *,
        node: str = "node",
        trusted: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._in = surroundings
        self._scripts = RemoteScripts(scripts)
        self._node = node
        self._trusted = trusted

    async def launch(self, launch: Launch) -> Launched:
        """Start a script."""
        details = launch.details
        script, folder = await self._script(launch)
        options = details.get("nodeCLIOptions")
        command = [
            await self._program(launch),
            *split_arguments(_OPTIONS if options is None else str(options)),
            *_inspector(details.get("inspect") or _port(details.get("debug")), "--inspect"),
            *_inspector(details.get("inspectBrk"), "--inspect-brk"),
            str(script),
            *split_arguments(str(details.get("parameters") or "")),
        ]
        return await start_process(
            command,
            folder=folder,
            # Client libraries in scripts connect without configuration, so every script gets a token.
            variables=environment(self._in, launch, {}, with_token=True),
            output=self._in.logs / f"{launch.instance}.log" if details.get("logging") else None,
            ended=launch.ended,
        )

    async def _program(self, launch: Launch) -> str:
        try:
            return await fitting_node(self._node, launch.details.get("nodeVersion"), self._in.variables)
        except LaunchFailed as error:
            raise LaunchFailed(f"{launch.definition['name']}: {error}") from error

    async def _script(self, launch: Launch) -> tuple[Path, Path]:
        """Find or fetch the script; also return its working folder."""
        name = str(launch.definition["name"])
        remote = RemoteScript.of(launch.details, trusted=self._trusted(name))
        if remote is not None:
            try:
                return await self._scripts.fetch(replace(remote, url=self._filled(remote.url, name))), self._in.root
            except LaunchFailed as error:
                raise LaunchFailed(f"{name}: {error}") from error
        if not launch.details.get("path"):
            raise LaunchFailed(f"{name}: its details name no script, neither path nor remote.url")
        script = self._in.root / self._filled(str(launch.details["path"]), name)
        if not script.is_file():
            raise LaunchFailed(f"{name}: there is no script {script}")
        return script, script.parent

    def _filled(self, text: str, name: str) -> str:
        expanded = expand(text, self._in.variables)
        if expanded.unknown:
            raise LaunchFailed(f"{name}: there is no environment variable {expanded.unknown[0]}")
        return expanded.text


def _port(debug: object) -> object:
    return float(debug) if isinstance(debug, str) and debug.isdecimal() and len(debug) < 6 else debug


def _inspector(wanted: object, option: str) -> list[str]:
    if wanted is True:
        return [option]
    return [f"{option}={wanted:g}"] if isinstance(wanted, (int, float)) and wanted is not False else []
